#include "cwebrtcap.h"

#include <algorithm>
#include <memory>
#include <new>

#if __has_include(<webrtc/modules/audio_processing/include/audio_processing.h>)
#define CWEBRTCAP_CLASSIC 1
#include <webrtc/modules/audio_processing/include/audio_processing.h>
#else
#define CWEBRTCAP_CLASSIC 0
#include <modules/audio_processing/include/audio_processing.h>
#if __has_include(<api/scoped_refptr.h>)
#include <api/scoped_refptr.h>
#endif
#endif

namespace {

constexpr int kRateHz = 48000;
constexpr int kSamples = kRateHz / 100;
// The library takes 0...500 ms.
constexpr int kMaximumDelayMs = 500;
constexpr int kGainControlTargetDbfs = 6;
constexpr int kGainControlCompressionDb = 9;

#if CWEBRTCAP_CLASSIC

struct Owner {
    std::unique_ptr<webrtc::AudioProcessing> processing;
};

int applyStages(webrtc::AudioProcessing &processing, const cwebrtcap_stages &stages) {
    int status = 0;
    auto set = [&status](auto *component, bool isOn) {
        if (component->is_enabled() == isOn) return;
        int code = component->Enable(isOn);
        if (code != 0) status = code;
    };
    set(processing.echo_cancellation(), stages.echo_canceller);
    set(processing.noise_suppression(), stages.noise_suppression);
    set(processing.gain_control(), stages.gain_control);
    // Rumble disturbs each of the stages; with none of them the sound is left as it is.
    set(processing.high_pass_filter(), stages.echo_canceller || stages.noise_suppression || stages.gain_control);
    return status;
}

bool prepare(Owner &owner) {
    webrtc::Config config;
    config.Set<webrtc::ExtendedFilter>(new webrtc::ExtendedFilter(true));
    config.Set<webrtc::DelayAgnostic>(new webrtc::DelayAgnostic(true));
    owner.processing.reset(webrtc::AudioProcessing::Create(config));
    if (!owner.processing) return false;
    // Without this the first reverse frame at 48 kHz is refused.
    const webrtc::StreamConfig stream(kRateHz, 1, false);
    if (owner.processing->Initialize(webrtc::ProcessingConfig{{stream, stream, stream, stream}}) != 0) return false;
    auto *echo = owner.processing->echo_cancellation();
    echo->enable_drift_compensation(false);
    echo->set_suppression_level(webrtc::EchoCancellation::kModerateSuppression);
    owner.processing->noise_suppression()->set_level(webrtc::NoiseSuppression::kModerate);
    auto *gain = owner.processing->gain_control();
    gain->set_mode(webrtc::GainControl::kAdaptiveDigital);
    gain->set_target_level_dbfs(kGainControlTargetDbfs);
    gain->set_compression_gain_db(kGainControlCompressionDb);
    gain->enable_limiter(true);
    return true;
}

#else

struct Owner {
    rtc::scoped_refptr<webrtc::AudioProcessing> processing;
};

int applyStages(webrtc::AudioProcessing &processing, const cwebrtcap_stages &stages) {
    webrtc::AudioProcessing::Config config = processing.GetConfig();
    config.echo_canceller.enabled = stages.echo_canceller;
    config.echo_canceller.mobile_mode = false;
    config.noise_suppression.enabled = stages.noise_suppression;
    config.noise_suppression.level = webrtc::AudioProcessing::Config::NoiseSuppression::kModerate;
    config.gain_controller1.enabled = stages.gain_control;
    config.gain_controller1.mode = webrtc::AudioProcessing::Config::GainController1::kAdaptiveDigital;
    config.gain_controller1.target_level_dbfs = kGainControlTargetDbfs;
    config.gain_controller1.compression_gain_db = kGainControlCompressionDb;
    config.gain_controller1.enable_limiter = true;
    config.high_pass_filter.enabled =
        stages.echo_canceller || stages.noise_suppression || stages.gain_control;
    processing.ApplyConfig(config);
    return 0;
}

bool prepare(Owner &owner) {
    owner.processing = webrtc::AudioProcessingBuilder().Create();
    if (!owner.processing) return false;
    const webrtc::StreamConfig stream(kRateHz, 1);
    return owner.processing->Initialize(webrtc::ProcessingConfig{{stream, stream, stream, stream}}) == 0;
}

#endif

}  // namespace

struct cwebrtcap {
    Owner owner;
    cwebrtcap_stages stages{};
    // The library's reverse stream writes its output somewhere.
    float scratch[kSamples] = {};
    webrtc::StreamConfig stream{kRateHz, 1};
};

extern "C" {

cwebrtcap *cwebrtcap_create(cwebrtcap_stages stages) {
    std::unique_ptr<cwebrtcap> processor(new (std::nothrow) cwebrtcap);
    if (!processor || !prepare(processor->owner)) return nullptr;
    if (cwebrtcap_apply(processor.get(), stages) != 0) return nullptr;
    return processor.release();
}

void cwebrtcap_destroy(cwebrtcap *processor) {
    delete processor;
}

int cwebrtcap_apply(cwebrtcap *processor, cwebrtcap_stages stages) {
    processor->stages = stages;
    return applyStages(*processor->owner.processing, stages);
}

int cwebrtcap_render(cwebrtcap *processor, const float *frame) {
    const float *source[] = {frame};
    float *target[] = {processor->scratch};
    return processor->owner.processing->ProcessReverseStream(source, processor->stream, processor->stream, target);
}

int cwebrtcap_capture(cwebrtcap *processor, float *frame, int delay_ms) {
    if (processor->stages.echo_canceller) {
        processor->owner.processing->set_stream_delay_ms(std::max(0, std::min(delay_ms, kMaximumDelayMs)));
    }
    const float *source[] = {frame};
    float *target[] = {frame};
    return processor->owner.processing->ProcessStream(source, processor->stream, processor->stream, target);
}

}  // extern "C"
