import Devices
import MediaEngine
import Testing

@Suite struct DeviceSelectionTests {
    private func choose(
        _ inventory: DeviceInventory, _ change: (inout DeviceWishes) -> Void = { _ in }
    ) -> DeviceChoice {
        var selection = DeviceSelection()
        var wishes = DeviceWishes()
        change(&wishes)
        return selection.update(inventory, wishes)
    }

    private func names(_ choice: DeviceChoice) -> [String?] {
        [choice.sink?.device.name, choice.source?.device.name]
    }

    @Test func sinkAndSourceOfOneCardAreTaken() {
        #expect(names(choose(Boxes.desktop())) == ["analog", "analog-mic"])
    }

    @Test func aDefaultWithoutAMicrophoneYieldsToACardWithBoth() {
        var inventory = Boxes.desktop()
        inventory.defaultSink = "screen"
        #expect(names(choose(inventory)) == ["analog", "analog-mic"])
    }

    @Test func aMonitorIsNeverTakenAsMicrophone() {
        var inventory = Boxes.desktop()
        inventory.sources.removeAll { !$0.isMonitor }
        inventory.defaultSource = "analog.monitor"
        let choice = choose(inventory)
        #expect(choice.source == nil)
        #expect(choice.awaitedSource == nil)
    }

    @Test func aMonitorThatIsConfiguredIsTaken() {
        #expect(names(choose(Boxes.desktop()) { $0.source = "screen.monitor" })[1] == "screen.monitor")
    }

    @Test func nothingAtAllIsANormalState() {
        let choice = choose(DeviceInventory())
        #expect(names(choice) == [nil, nil])
        #expect(choice.commands.isEmpty)
        #expect(choice.route == nil)
    }

    @Test func aConfiguredDeviceIsAwaitedByNameWhileAnotherStandsIn() {
        var inventory = Boxes.desktop()
        var selection = DeviceSelection()
        var wishes = DeviceWishes()
        wishes.sink = "headset"
        wishes.source = "headset-mic"
        let away = selection.update(inventory, wishes)
        #expect(names(away) == ["analog", "analog-mic"])
        #expect(away.sink?.awaiting == "headset")
        #expect(away.awaitedSource == "headset-mic")
        Boxes.plugHeadset(into: &inventory)
        let back = selection.update(inventory, wishes)
        #expect(names(back) == ["headset", "headset-mic"])
        #expect(back.awaitedSink == nil)
    }

    @Test func aDeviceUnpluggedInTheCallIsTakenAgainWhenItIsBack() {
        var inventory = Boxes.desktop()
        Boxes.plugHeadset(into: &inventory)
        var selection = DeviceSelection()
        #expect(names(selection.update(inventory, DeviceWishes())) == ["headset", "headset-mic"])
        Boxes.unplugHeadset(from: &inventory)
        let away = selection.update(inventory, DeviceWishes())
        #expect(names(away) == ["analog", "analog-mic"])
        #expect([away.awaitedSink, away.awaitedSource] == ["headset", "headset-mic"])
        Boxes.plugHeadset(into: &inventory, index: 60)
        let back = selection.update(inventory, DeviceWishes())
        #expect(names(back) == ["headset", "headset-mic"])
        #expect(back.sink?.target == .named("headset", index: 60))
    }

    @Test func anotherDefaultIsFollowedOnlyWhereNothingIsConfigured() {
        var inventory = Boxes.desktop()
        inventory.sinks.append(SoundDevice(name: "monitor-speakers", index: 12, card: 9))
        inventory.sources.append(SoundDevice(name: "monitor-mic", index: 13, card: 9))
        var selection = DeviceSelection()
        #expect(names(selection.update(inventory, DeviceWishes()))[0] == "analog")
        inventory.defaultSink = "monitor-speakers"
        #expect(names(selection.update(inventory, DeviceWishes())) == ["monitor-speakers", "monitor-mic"])
        var wishes = DeviceWishes()
        wishes.sink = "analog"
        #expect(names(selection.update(inventory, wishes)) == ["analog", "analog-mic"])
        inventory.defaultSink = "screen"
        #expect(names(selection.update(inventory, wishes))[0] == "analog")
    }

    @Test(arguments: [
        (DeviceKind.headphones, false), (.headset, false), (.handsFree, true), (.speaker, true), (.handset, true),
    ])
    func echoIsCancelledWhereItCanBeHeard(kind: DeviceKind, isCancelled: Bool) {
        var inventory = Boxes.desktop()
        inventory.sinks[1].ports = [DevicePort(name: "speaker", kind: kind)]
        #expect(choose(inventory).usefulProcessing.cancelsEcho == isCancelled)
        #expect(choose(inventory).usefulProcessing.suppressesNoise)
    }

    @Test func nullDevicesAreNotProcessed() {
        var inventory = Boxes.desktop()
        for index in inventory.sources.indices { inventory.sources[index].isNull = true }
        let settings = choose(inventory).usefulProcessing
        #expect(!settings.cancelsEcho && !settings.suppressesNoise && !settings.controlsGain)
    }
}
