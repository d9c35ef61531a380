/// The words of an authentication string: 256, so that one says a byte.
///
/// Each is a common English noun or adjective of four to eight letters. No two begin with the same three letters, have
/// the same consonants in a row, or differ by fewer than three letters, so that one heard badly is no other.
enum AuthenticationWords {
    static let all: [Substring] = text.split { $0 == " " || $0 == "\n" }

    private static let text = """
        actor album amber apple april arrow aspen atlas attic audio autumn balcony bamboo banana barn basket
        beaver bench bishop blossom bonfire boulder brick broom brush buffalo bullet button cactus camel captain
        carbon castle cedar cello chain cheese chimney circle clay cliff clock coffee compass corner coyote
        crayon cricket crown crystal cymbal dagger daisy dance desert diamond dolphin donkey drum dynamo eagle
        earth echo eclipse elbow elephant emerald engine envelope evening fabric farmer feather ferry filter
        fish flame forest fossil fountain frog fudge garden gazelle ghost giant ginger giraffe glacier glove
        goblet gospel granite guitar harvest hermit hiking hippo hunter husky iceberg indigo insect island ivory
        jaguar jasmine jewel jigsaw journal juggler jury kernel kettle kidney kingdom kitchen kiwi ladder lagoon
        lantern lava lemon leopard library lilac linen lizard lobster lotus magnet mango marble meadow mermaid
        metal midnight mineral mirror mitten mosaic moth muffin museum muzzle napkin nectar nephew nest night
        nomad noodle notebook nutmeg oasis oatmeal ocean octopus onion opera orange orbit otter oval oxygen
        paddle painter palace pasta peanut pebble pencil pickle pigeon pillow pirate pizza pocket poem polar
        prairie prism pumpkin puppet pyramid quartz queen rabbit raft raisin raven razor recipe robin rose
        rubber sailor salmon sandal saturn scissors scooter shark shelter shovel sleigh snail soccer sofa
        soldier spider spoon squirrel statue stone sugar summer sunset swan sword syrup taco teapot temple toast
        tomato topaz torch trumpet tulip tunnel turtle umbrella uniform vacuum valley vampire vanilla velvet
        village violin volcano waffle walrus wedding whale whisper window wolf wombat yacht yodel yogurt zebra
        zenith zigzag
        """
}
