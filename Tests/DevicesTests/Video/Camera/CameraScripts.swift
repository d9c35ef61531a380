/// What cameras of several kinds answer.
enum CameraScripts {
    /// A webcam on USB 2: large pictures are slow without compression.
    static let webcam = """
        QUERYCAP = 0x04200001 HD Pro Webcam
        ENUM_FMT 0 = YUYV
        ENUM_FMT 1 = H264
        ENUM_FMT 2 = MJPG
        ENUM_FRAMESIZES YUYV 0 = 640x480
        ENUM_FRAMESIZES YUYV 1 = 320x240
        ENUM_FRAMESIZES YUYV 2 = 1280x720
        ENUM_FRAMESIZES MJPG 0 = 640x480
        ENUM_FRAMESIZES MJPG 1 = 1280x720
        ENUM_FRAMEINTERVALS YUYV 640x480 0 = 1/30
        ENUM_FRAMEINTERVALS YUYV 640x480 1 = 1/15
        ENUM_FRAMEINTERVALS YUYV 320x240 0 = 1/30
        ENUM_FRAMEINTERVALS YUYV 1280x720 0 = 1/10
        ENUM_FRAMEINTERVALS MJPG 640x480 0 = 1/30
        ENUM_FRAMEINTERVALS MJPG 1280x720 0 = 1/30
        ENUM_FRAMEINTERVALS MJPG 1280x720 1 = 1001/24000
        S_FMT YUYV 640x480 = YUYV 640x480 1280
        S_FMT YUYV 320x240 = YUYV 320x240 640
        S_FMT MJPG 1280x720 = MJPG 1280x720 0
        S_PARM 1/30 = 1/30
        S_PARM 1/15 = 1/15
        """

    /// A capture board: any size in steps, any rate, and it gives less than it is asked for.
    static let board = """
        QUERYCAP = 0x04200001 Capture board
        ENUM_FMT 0 = NV12
        ENUM_FRAMESIZES NV12 0 = 32..720 step 16, 32..576 step 16
        ENUM_FRAMEINTERVALS NV12 640x480 0 = 1/60 .. 1/1
        ENUM_FRAMEINTERVALS NV12 320x240 0 = 1/60 .. 1/1
        S_FMT NV12 640x480 = NV12 320x240 352
        S_PARM 1/30 = 1/25
        """

    /// The second file of a webcam: its metadata.
    static let metadata = """
        QUERYCAP = 0x04a00000 HD Pro Webcam
        """

    /// Nothing that can be read here.
    static let bayer = """
        QUERYCAP = 0x04200001 Sensor
        ENUM_FMT 0 = BA81
        """
}
