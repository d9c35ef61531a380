import Devices
import MediaEngine
import Testing

@Suite struct RouteTests {
    private func wishes(_ route: AudioRoute?, _ mode: CallMode = .voice) -> DeviceWishes {
        var wishes = DeviceWishes()
        wishes.route = route
        wishes.mode = mode
        return wishes
    }

    @Test(arguments: [(CallMode.voice, "headset"), (.video, "analog")])
    func theDefaultRouteIsThatOfTheCallsKind(mode: CallMode, sink: String) {
        var inventory = Boxes.desktop()
        Boxes.plugHeadset(into: &inventory)
        var selection = DeviceSelection()
        #expect(selection.update(inventory, wishes(nil, mode)).sink?.device.name == sink)
    }

    @Test func theDefaultRouteNeverSwitchesAPort() {
        var selection = DeviceSelection()
        let choice = selection.update(Boxes.desktop(), wishes(nil))
        #expect(choice.commands.isEmpty)
        #expect(choice.route == .speaker)
        #expect(choice.canChangeRoute)
    }

    @Test func ourStreamsAreMovedRatherThanAPortSwitched() {
        var inventory = Boxes.desktop()
        Boxes.plugHeadset(into: &inventory)
        var selection = DeviceSelection()
        let loud = selection.update(inventory, wishes(.speaker))
        #expect(loud.sink?.device.name == "analog")
        #expect(loud.source?.device.name == "analog-mic")
        let close = selection.update(inventory, wishes(.receiver))
        #expect(close.sink?.device.name == "headset")
        #expect(close.source?.device.name == "headset-mic")
        #expect(close.commands.isEmpty)
        #expect(close.routeOutcome == .asWished)
    }

    @Test func aPortIsSwitchedOnlyOnceSaidAndUndoneAfterTheCall() {
        var inventory = Boxes.desktop()
        var selection = DeviceSelection()
        let asked = selection.update(inventory, wishes(.receiver))
        #expect(asked.commands == [.setSinkPort(sink: "analog", port: "phones")])
        #expect(asked.routeOutcome == .switchedPort(sink: "analog", port: "Headphones"))
        #expect(selection.update(inventory, wishes(.receiver)).commands.isEmpty)
        inventory.sinks[1].activePort = "phones"
        let done = selection.update(inventory, wishes(.receiver))
        #expect(done.route == .receiver)
        #expect(done.routeOutcome == .switchedPort(sink: "analog", port: "Headphones"))
        #expect(!done.usefulProcessing.cancelsEcho)
        #expect(selection.end(inventory) == [.setSinkPort(sink: "analog", port: "speaker")])
        #expect(selection.end(inventory).isEmpty)
    }

    @Test func theOtherRouteUndoesOurOwnSwitchFirst() {
        var inventory = Boxes.desktop()
        var selection = DeviceSelection()
        _ = selection.update(inventory, wishes(.receiver))
        inventory.sinks[1].activePort = "phones"
        _ = selection.update(inventory, wishes(.receiver))
        let back = selection.update(inventory, wishes(.speaker))
        #expect(back.commands == [.setSinkPort(sink: "analog", port: "speaker")])
        #expect(back.sink?.device.name == "analog")
        inventory.sinks[1].activePort = "speaker"
        #expect(selection.update(inventory, wishes(.speaker)).route == .speaker)
        #expect(selection.end(inventory).isEmpty)
    }

    @Test func aPortThatSomebodyElseSwitchedMeanwhileIsLeft() {
        var inventory = Boxes.desktop()
        var selection = DeviceSelection()
        _ = selection.update(inventory, wishes(.receiver))
        inventory.sinks[1].activePort = "phones"
        _ = selection.update(inventory, wishes(.receiver))
        inventory.sinks[1].activePort = "speaker"
        #expect(selection.end(inventory).isEmpty)
    }

    @Test func anUnpluggedPortIsNoRoute() {
        var inventory = Boxes.desktop()
        inventory.sinks[1].ports[1].isAvailable = false
        var selection = DeviceSelection()
        let choice = selection.update(inventory, wishes(.receiver))
        #expect(choice.routeOutcome == .singleOutput)
        #expect(choice.route == .speaker)
        #expect(!choice.canChangeRoute)
        #expect(choice.commands.isEmpty)
    }

    @Test func networkOutputsAreNeverTakenByRule() {
        var inventory = Boxes.desktop()
        inventory.sinks[1].ports = []
        inventory.sinks.removeFirst()
        var remote = SoundDevice(name: "raop", index: 70)
        remote.isNetwork = true
        remote.formFactor = "headphone"
        inventory.sinks.append(remote)
        var selection = DeviceSelection()
        #expect(selection.update(inventory, wishes(.receiver)).routeOutcome == .singleOutput)
        #expect(selection.update(inventory, wishes(nil)).sink?.device.name == "analog")
    }

    @Test func theHandsFreeProfileIsChosenByDirectionAvailabilityAndPriority() {
        var inventory = Boxes.desktop()
        Boxes.connectBluetooth(to: &inventory)
        var selection = DeviceSelection()
        let asked = selection.update(inventory, wishes(nil))
        #expect(asked.sink?.device.name == "bluez_sink.a2dp_sink")
        #expect(asked.commands == [.setCardProfile(card: "bluez_card", profile: "msbc")])
        Boxes.switchBluetooth(&inventory, to: "msbc")
        let done = selection.update(inventory, wishes(nil))
        #expect(done.sink?.device.name == "bluez_sink.msbc")
        #expect(done.source?.device.name == "bluez_source.msbc")
        #expect(done.awaitedSink == nil)
        #expect(done.switchedProfile == "msbc")
        #expect(selection.end(inventory) == [.setCardProfile(card: "bluez_card", profile: "a2dp_sink")])
    }

    @Test func playbackOnlyBluetoothHasItsMicrophoneElsewhere() {
        var inventory = Boxes.desktop()
        Boxes.connectBluetooth(to: &inventory, handsFree: false)
        var selection = DeviceSelection()
        let choice = selection.update(inventory, wishes(nil))
        #expect(choice.sink?.device.name == "bluez_sink.a2dp_sink")
        #expect(choice.source?.device.name == "analog-mic")
        #expect(choice.microphoneIsElsewhere)
        #expect(choice.commands.isEmpty)
    }

    @Test func forbiddenBluetoothIsNotTaken() {
        var inventory = Boxes.desktop()
        Boxes.connectBluetooth(to: &inventory)
        var selection = DeviceSelection()
        var wanted = wishes(nil)
        wanted.allowsBluetooth = false
        #expect(selection.update(inventory, wanted).sink?.device.name == "analog")
    }

    @Test(arguments: [
        (UInt32(3), "x", DeviceKind.headphones), (6, "x", .headset), (7, "x", .handset), (8, "x", .earpiece),
        (17, "x", .handsFree), (2, "x", .speaker), (10, "x", .screen), (0, "analog-output-headphones", .headphones),
        (0, "analog-output-speaker", .speaker), (22, "analog-output-lineout", .line), (0, "hdmi-output-0", .screen),
        (0, "something", .unknown),
    ])
    func aPortsKindIsToldByItsTypeOrItsName(type: UInt32, name: String, kind: DeviceKind) {
        #expect(DeviceKind(portType: type, portName: name) == kind)
    }
}
