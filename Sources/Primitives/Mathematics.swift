import Glibc

/// The C library's functions under names that no module has to import Glibc for.
package func logarithm(_ value: Double) -> Double {
    Glibc.log(value)
}

package func cosine(_ value: Double) -> Double {
    Glibc.cos(value)
}

extension Double {
    /// To so many decimal places.
    package func rounded(places: Int) -> Double {
        let scale = Glibc.pow(10, Double(places))
        return (self * scale).rounded() / scale
    }

    /// A share of 1 as per cent, to one decimal place.
    package var percent: Double {
        (self * 100).rounded(places: 1)
    }
}

/// The gain of `decibels` as a linear factor of amplitude.
package func amplitude(decibels: Double) -> Double {
    Glibc.pow(10, decibels / 20)
}

/// The linear amplitude `value` in decibels; −∞ for 0.
package func decibels(amplitude value: Double) -> Double {
    20 * Glibc.log10(value)
}
