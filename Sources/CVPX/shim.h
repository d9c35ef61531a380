#pragma once
#include <vpx/vp8cx.h>
#include <vpx/vpx_encoder.h>
#include <vpx/vp8dx.h>
#include <vpx/vpx_decoder.h>
// Sums of macros are not importable, and the control calls are variadic.
enum { CVPX_ENCODER_ABI = VPX_ENCODER_ABI_VERSION, CVPX_DECODER_ABI = VPX_DECODER_ABI_VERSION };
static inline vpx_codec_err_t cvpx_set(vpx_codec_ctx_t *codec, int request, int value) {
    return vpx_codec_control_(codec, request, value);
}
static inline vpx_codec_err_t cvpx_get(vpx_codec_ctx_t *codec, int request, int *value) {
    return vpx_codec_control_(codec, request, value);
}
static inline vpx_codec_err_t cvpx_set_layer(vpx_codec_ctx_t *codec, int temporal_layer) {
    vpx_svc_layer_id_t layer = {.temporal_layer_id = temporal_layer};
    layer.temporal_layer_id_per_spatial[0] = temporal_layer;
    return vpx_codec_control_(codec, VP9E_SET_SVC_LAYER_ID, &layer);
}
/// One spatial layer in the encoded size, and the quantizers of the configuration in both temporal layers.
static inline vpx_codec_err_t cvpx_set_layers(vpx_codec_ctx_t *codec, const vpx_codec_enc_cfg_t *configuration) {
    vpx_svc_extra_cfg_t layers = {0};
    for (unsigned i = 0; i < configuration->ts_number_layers; i++) {
        layers.max_quantizers[i] = (int)configuration->rc_max_quantizer;
        layers.min_quantizers[i] = (int)configuration->rc_min_quantizer;
    }
    layers.scaling_factor_num[0] = layers.scaling_factor_den[0] = 1;
    return vpx_codec_control_(codec, VP9E_SET_SVC_PARAMETERS, &layers);
}
