/// A person whose authentication string was compared.
package struct VerifiedPerson: Hashable, Sendable {
    /// The name at the time.
    package var name: String
    package var fingerprint: CertificateFingerprint

    package init(name: String, fingerprint: CertificateFingerprint) {
        self.name = name
        self.fingerprint = fingerprint
    }
}

/// The marks that people have given each other after comparing their codes.
///
/// A mark is for a certificate's fingerprint, since a name is free for anyone to take: it holds as long as the person
/// comes with that certificate. The list is kept by the owner, who saves it on each `save`.
package struct VerifiedPeople: Equatable, Sendable {
    /// So many marks are kept; the oldest give way.
    package static let maximumCount = 1000

    package enum Mark: Equatable, Sendable {
        case verified
        case unverified
        /// Somebody of that name was verified with another certificate: a new device, or somebody else.
        case changed(from: CertificateFingerprint)
    }

    package enum Action: Equatable, Sendable {
        /// Saves the list, oldest first.
        case save([VerifiedPerson])
    }

    /// Oldest first.
    package private(set) var people: [VerifiedPerson]

    /// - Parameter people: what was saved, oldest first; of two with the same fingerprint the later counts.
    package init(_ people: [VerifiedPerson] = []) {
        self.people = []
        for person in people.suffix(Self.maximumCount) { insert(person) }
    }

    package func mark(of name: String, fingerprint: CertificateFingerprint) -> Mark {
        if people.contains(where: { $0.fingerprint == fingerprint }) { return .verified }
        return people.last { $0.name == name }.map { .changed(from: $0.fingerprint) } ?? .unverified
    }

    /// The codes were compared and are equal.
    package mutating func verify(_ person: VerifiedPerson) -> [Action] {
        guard !people.contains(person) else { return [] }
        insert(person)
        return [.save(people)]
    }

    /// Takes the mark away.
    package mutating func forget(_ fingerprint: CertificateFingerprint) -> [Action] {
        let count = people.count
        people.removeAll { $0.fingerprint == fingerprint }
        return people.count == count ? [] : [.save(people)]
    }

    private mutating func insert(_ person: VerifiedPerson) {
        people.removeAll { $0.fingerprint == person.fingerprint }
        people.append(person)
        if people.count > Self.maximumCount { people.removeFirst() }
    }
}
