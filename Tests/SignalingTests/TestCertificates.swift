@testable import Signaling

/// Two certificates that nobody trusts, with their keys: worth nothing outside of tests.
enum TestCertificates {
    static let first = TLSCredentials(
        certificatePEM: """
            -----BEGIN CERTIFICATE-----
            MIIBmzCCAUGgAwIBAgIUZZvhBVogD9qqqshtHaaC+2oO2nEwCgYIKoZIzj0EAwIw
            FDESMBAGA1UEAwwJaG9vdC50ZXN0MCAXDTI2MTEzMDA0MTg1MloYDzIxMjYxMTA2
            MDQxODUyWjAUMRIwEAYDVQQDDAlob290LnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
            PQMBBwNCAARhCGf/A0Oc0Sjl9lnQKT/t4y9Dpa8iTva464my7D8s3B0/JAvTYMbm
            JAaeR677m1X1QKTHvR2h7tAHyyaz3xJio28wbTAdBgNVHQ4EFgQUuVxtrRT89ABI
            1YIR6cGaVXbYAFkwHwYDVR0jBBgwFoAUuVxtrRT89ABI1YIR6cGaVXbYAFkwDwYD
            VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARhwR/AAABgglsb2NhbGhvc3QwCgYIKoZI
            zj0EAwIDSAAwRQIgHVPx170l7F3sJZ5GPUCrcT9VF4Ee8piqKS/un5NtrbkCIQCy
            lkVY9usEEhh+YnNWdXr7KvzVCElUmnDcWX9p3XwFzQ==
            -----END CERTIFICATE-----
            """,
        keyPEM: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjIyafBtr2PH7jzxv
            6+cQOrpCz9DgmiMTbqrdwVDdEUWhRANCAARhCGf/A0Oc0Sjl9lnQKT/t4y9Dpa8i
            Tva464my7D8s3B0/JAvTYMbmJAaeR677m1X1QKTHvR2h7tAHyyaz3xJi
            -----END PRIVATE KEY-----
            """)

    static let second = TLSCredentials(
        certificatePEM: """
            -----BEGIN CERTIFICATE-----
            MIIBgTCCASegAwIBAgIUY3rS9GL4uHS5VRQUCSGoxopvTCswCgYIKoZIzj0EAwIw
            FTETMBEGA1UEAwwKb3RoZXIudGVzdDAgFw0yNjExMzAwNDE4NTJaGA8yMTI2MTEw
            NjA0MTg1MlowFTETMBEGA1UEAwwKb3RoZXIudGVzdDBZMBMGByqGSM49AgEGCCqG
            SM49AwEHA0IABBVuP69cDtwjoE9C11dUYK/Ro1vMrFkTTi//7Dst/WToCcgVFdkR
            aslXaRLKB+kC1O/LZcaUjicUre5IcaIyi3OjUzBRMB0GA1UdDgQWBBQggHgtHNLh
            0NI4ruKN+jGIk2ldhzAfBgNVHSMEGDAWgBQggHgtHNLh0NI4ruKN+jGIk2ldhzAP
            BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQCCjz59TCUBM/he7Tqz
            LEPTU9ebji8ss2MWHDpEnOQvxAIgK+/u8KsEBu+YsoSFc3Z2bQFyEGWk7Y/ptC6A
            mzdIgnM=
            -----END CERTIFICATE-----
            """,
        keyPEM: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnk5Ot6zERK/62sp1
            I9QBnq49Fp8o7u/WtFnR6+WNQPShRANCAAQVbj+vXA7cI6BPQtdXVGCv0aNbzKxZ
            E04v/+w7Lf1k6AnIFRXZEWrJV2kSygfpAtTvy2XGlI4nFK3uSHGiMotz
            -----END PRIVATE KEY-----
            """)
}
