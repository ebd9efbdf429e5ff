/* Flame graphs in SVG: what the programs draw is read back, what is damaged or crafted is refused,
 * and however a picture is drawn or cut, its stacks are the same. */
#include "unit/stacks.h"

#include "parse/svg.h"

/* Reads text in pieces of step bytes. */
static enum fst_status read_svg(struct fst_str text, size_t step, struct stacks *stacks,
                                struct fst_input *stats, struct fst_error *err)
{
    struct fst_svg *svg = NULL;
    struct fst_read_options options = {0};
    assert_int_equal(fst_svg_new(sink_of(stacks), &options, stats, &svg, err), FST_OK);
    enum fst_status status = FST_OK;
    while (text.len > 0 && status == FST_OK) {
        size_t n = text.len < step ? text.len : step;
        status = fst_svg_feed(svg, fst_str_of(text.data, n), err);
        text = fst_str_skip(text, n);
    }
    if (status == FST_OK) {
        status = fst_svg_finish(svg, err);
    }
    fst_svg_free(svg);
    return status;
}

static void require_stacks(size_t row, struct fst_str text, const char *wanted)
{
    require_stacks_by(read_svg, row, text, wanted);
}

static void require_refusal(size_t row, struct fst_str text, const char *message, uint64_t line)
{
    require_refusal_by(read_svg, row, text, message, line);
}

/* --- files ----------------------------------------------------------------------------------- */

static void what_programs_draw_is_read_back(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        const char *stacks;
    } rows[] = {
        {"pyspy-icicle.svg",
         "[no Python frames] 5\n"
         "<module> (train.py:42);fit (loop.py:118);step (optim.py:31) 4\n"
         "<module> (train.py:42);fit (loop.py:118);step (optim.py:31);adam <fused> (optim.py:77) "
         "57\n"
         "<module> (train.py:42);fit (loop.py:121);collate (data & co/batch.py:9) 21\n"
         "<module> (train.py:42);save (io.py:5) 3\n"
         "_bootstrap (threading.py:890);run (threading.py:870);watch (log.py:14) 15\n"},
        {"inferno-flame.svg",
         "server;accept;parse<T, U>::next (unsigned int, char) 1018\n"
         "server;accept;parse<T, U>::next (unsigned int, char);hash & mix 240\n"
         "server;accept;read;[libc.so.6] 12\n"
         "server;idle 30\n"},
        {"flamegraph-pl.svg",
         "main;read_all 62\n"
         "main;read_all;libz.so`inflate 4821\n"
         "main;read_all;libz.so`inflate;libz.so`crc32 917\n"
         "main;std::function<void (int, char)>::operator() 1300\n"
         "main;std::function<void (int, char)>::operator();sort (1,234 items, 99.9%) 400\n"
         "start 1\n"},
        {"differential.svg", "main;alloc 500\n"
                             "main;alloc;grow 3000\n"
                             "main;free 1500\n"
                             "main;log 5\n"},
        {"one-stack.svg", "main (a.py:1);work (a.py:9);sleep (b.py:3) 40\n"},
        {"gap.svg", "[no Python frames] 100\n"
                    "main 100\n"
                    "main;write 300\n"
                    "main;read 500\n"},
        {"one-percent.svg", "main 1010\n"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf text = {0};
        read_fixture("svg", rows[i].file, &text);
        require_stacks(i, fst_buf_str(&text), rows[i].stacks);
        fst_buf_release(&text);
    }
}

static void damaged_and_crafted_files_are_refused(void **state)
{
    (void)state;
    static const char declares[] = "an SVG whose DOCTYPE declares entities or elements of its own, "
                                   "which no flame graph does";
    static const struct {
        const char *file;
        const char *message;
        uint64_t line;
    } rows[] = {
        {"too-much.svg",
         "a damaged flame graph: what \"all\" called has more samples than it has itself", 5},
        {"floating.svg", "a damaged flame graph: \"lost\" stands on no other frame", 11},
        {"chart.svg", "an SVG, but no flame graph", 0},
        {"cut.svg", "the SVG is cut: it ends before its elements are closed", 6},
        {"entities.svg", declares, 2},
        {"external-entity.svg", declares, 2},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf text = {0};
        read_fixture("svg", rows[i].file, &text);
        require_refusal(i, fst_buf_str(&text), rows[i].message, rows[i].line);
        fst_buf_release(&text);
    }
}

static void stats_and_lines_are_those_of_the_file(void **state)
{
    (void)state;
    struct fst_buf text = {0};
    struct stacks stacks = {0};
    struct fst_input stats = {0};
    read_fixture("svg", "gap.svg", &text);
    assert_int_equal(read_svg(fst_buf_str(&text), SIZE_MAX, &stacks, &stats, NULL), FST_OK);
    assert_int_equal(stats.lines, 17);
    assert_int_equal(stats.stack_lines, 4);
    assert_int_equal(stacks.last_line, 15);
    assert_int_equal(stats.dialect, FST_DIALECT_GENERIC);
    assert_false(stats.split_files);
    fst_buf_release(&text);
    fst_buf_release(&stacks.text);
}

static void the_dialect_is_told_or_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        enum fst_dialect asked;
        enum fst_dialect told;
    } rows[] = {
        {"pyspy-icicle.svg", FST_DIALECT_AUTO, FST_DIALECT_PYSPY},
        {"pyspy-icicle.svg", FST_DIALECT_GENERIC, FST_DIALECT_GENERIC},
        {"flamegraph-pl.svg", FST_DIALECT_AUTO, FST_DIALECT_GENERIC},
        {"flamegraph-pl.svg", FST_DIALECT_PYSPY, FST_DIALECT_PYSPY},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf text = {0};
        struct stacks stacks = {0};
        struct fst_input stats = {0};
        struct fst_svg *svg = NULL;
        struct fst_read_options options = {.dialect = rows[i].asked, .leaf_first = true};
        read_fixture("svg", rows[i].file, &text);
        assert_int_equal(fst_svg_new(sink_of(&stacks), &options, &stats, &svg, NULL), FST_OK);
        assert_int_equal(fst_svg_feed(svg, fst_buf_str(&text), NULL), FST_OK);
        assert_int_equal(fst_svg_finish(svg, NULL), FST_OK);
        assert_int_equal(stacks.grammar.dialect, rows[i].told);
        assert_int_equal(stats.dialect, rows[i].told);
        fst_svg_free(svg);
        fst_buf_release(&text);
        fst_buf_release(&stacks.text);
    }
}

static void units_are_those_of_titles_or_of_the_dialect(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        enum fst_unit unit;
    } rows[] = {
        {"differential.svg", FST_UNIT_BYTES},
        {"flamegraph-pl.svg", FST_UNIT_SAMPLES},
        {"austin.svg", FST_UNIT_MICROSECONDS},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf text = {0};
        struct stacks stacks = {0};
        struct fst_input stats = {0};
        read_fixture("svg", rows[i].file, &text);
        assert_int_equal(read_svg(fst_buf_str(&text), SIZE_MAX, &stacks, &stats, NULL), FST_OK);
        assert_int_equal(stats.unit, rows[i].unit);
        assert_int_equal(stacks.grammar.unit, rows[i].unit);
        fst_buf_release(&text);
        fst_buf_release(&stacks.text);
    }
}

static void stacks_are_shaped_by_the_dialect(void **state)
{
    (void)state;
    struct fst_buf text = {0};
    struct stacks stacks = {0};
    struct fst_input stats = {0};
    read_fixture("svg", "austin.svg", &text);
    assert_int_equal(read_svg(fst_buf_str(&text), SIZE_MAX, &stacks, &stats, NULL), FST_OK);
    require_text(0, fst_buf_str(&stacks.text),
                 "Thread 7f1a2b3c;f (mod.py:12) 900\n"
                 "Thread 7f1a2b3c;f (mod.py:12);g (mod.py:3) 2100\n");
    assert_int_equal(stacks.last_lead.count, 1);
    assert_int_equal(stacks.last_lead.thread, 0);
    fst_buf_release(&text);
    fst_buf_release(&stacks.text);
}

/* --- forms ----------------------------------------------------------------------------------- */

/* A frame of flamegraph.pl, and one with places in samples. */
#define PX(title, x, y, width)                                                                     \
    "<g><title>" title "</title><rect x=\"" x "\" y=\"" y "\" width=\"" width "\"/></g>"
#define FG(title, x, y, w)                                                                         \
    "<g><title>" title "</title><rect y=\"" y "\" fg:x=\"" x "\" fg:w=\"" w "\"/></g>"
#define ALL PX("all (10 samples, 100%)", "10", "90", "1000")
#define TEXT(svg)                                                                                  \
    {                                                                                              \
        svg, sizeof(svg) - 1                                                                       \
    }

static void what_is_counted_is_the_titles_word(void **state)
{
    (void)state;
    static const struct {
        const char *behind; /* the name, in the title */
        const char *text;   /* of the stack, its unit, and its word if that is none of ours */
    } rows[] = {
        {"(10 samples, 100%)", "f 10\n samples"},
        {"(10 sample, 100%)", "f 10\n samples"},
        {"(10 bytes, 100%)", "f 10\n bytes"},
        {"(10 us, 100%)", "f 10\n µs"},
        {"(10 µs, 100%)", "f 10\n µs"},
        {"(10 microseconds, 100%)", "f 10\n µs"},
        {"(10 ns, 100%)", "f 0.01\n µs"},
        {"(10 nanoseconds, 100%)", "f 0.01\n µs"},
        {"(10 ms, 100%)", "f 10\n counts ms"},
        {"(10 Bytes, 100%)", "f 10\n counts Bytes"},
        {"(10 , 100%)", "f 10\n samples"},
        {"(10 CPU cycles, 100%)", "f 10\n counts CPU cycles"},
        {"(10 0123456789012345678901234567890, 1%)",
         "f 10\n counts 0123456789012345678901234567890"},
        {"(10 012345678901234567890123456789ä, 1%)",
         "f 10\n counts 012345678901234567890123456789"},
        {"(10 bytes, 100%; +1.23%)", "f 10\n bytes differential"},
        {"(10 samples, 100%; 0.00%)", "f 10\n samples differential"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf text = {0};
        struct stacks stacks = {0};
        struct fst_input stats = {0};
        fst_buf_add_fmt(&text,
                        "<svg><g><title>f %s</title>"
                        "<rect x=\"10\" y=\"70\" width=\"1000\"/></g></svg>",
                        rows[i].behind);
        assert_int_equal(read_svg(fst_buf_str(&text), SIZE_MAX, &stacks, &stats, NULL), FST_OK);
        assert_int_equal(stats.unit, stacks.grammar.unit);
        fst_buf_add_fmt(&stacks.text, " %s%s%s%s", fst_unit_name(stats.unit),
                        stats.counted[0] == '\0' ? "" : " ", stats.counted,
                        stats.differential ? " differential" : "");
        require_text(i, fst_buf_str(&stacks.text), rows[i].text);
        fst_buf_release(&stacks.text);
        fst_buf_release(&text);
    }
}

/* A picture of foldstat's with what it says of itself: from the root "all", f on a on main. */
#define OWN(attributes)                                                                            \
    "<svg " attributes ">" FG("all (9 samples, 100%)", "0", "0", "9")                              \
        FG("main (8 samples, 88%)", "0", "18", "8") FG("a (5 samples, 55%)", "0", "36", "5")       \
            FG("f (2 samples, 22%)", "0", "54", "2") "</svg>"
#define AS_DRAWN "[no Python frames] 1\nmain 3\nmain;a 3\nmain;a;f 2\n"
#define TURNED   "[no Python frames] 1\nmain 3\na;main 3\nf;a;main 2\n"

static void our_own_pictures_say_what_they_are(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool leaf_first;
        const char *stacks;
        enum fst_dialect dialect;
        bool complete;
        bool reversed;
    } rows[] = {
        {OWN(""), false, AS_DRAWN, FST_DIALECT_GENERIC, false, false},
        {OWN(""), true, TURNED, FST_DIALECT_GENERIC, false, false},
        {OWN("data-left-out='0'"), false, AS_DRAWN, FST_DIALECT_GENERIC, true, false},
        {OWN("data-left-out='12'"), false, AS_DRAWN, FST_DIALECT_GENERIC, false, false},
        {OWN("data-reverse='' data-left-out='3'"), false, TURNED, FST_DIALECT_GENERIC, false, true},
        {OWN("data-reverse=''"), true, TURNED, FST_DIALECT_GENERIC, false, true},
        {OWN("data-dialect='cpython'"), false, AS_DRAWN, FST_DIALECT_CPYTHON, false, false},
        {OWN("data-dialect='auto'"), false, AS_DRAWN, FST_DIALECT_GENERIC, false, false},
        {OWN("data-dialect='unheard of'"), false, AS_DRAWN, FST_DIALECT_GENERIC, false, false},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct stacks stacks = {0};
        struct fst_input stats = {0};
        struct fst_svg *svg = NULL;
        const struct fst_read_options options = {.leaf_first = rows[i].leaf_first};
        assert_int_equal(fst_svg_new(sink_of(&stacks), &options, &stats, &svg, NULL), FST_OK);
        assert_int_equal(fst_svg_feed(svg, fst_str_cstr(rows[i].text), NULL), FST_OK);
        assert_int_equal(fst_svg_finish(svg, NULL), FST_OK);
        require_text(i, fst_buf_str(&stacks.text), rows[i].stacks);
        assert_int_equal(stats.dialect, rows[i].dialect);
        assert_int_equal(stats.complete, rows[i].complete);
        assert_int_equal(stats.reversed, rows[i].reversed);
        fst_svg_free(svg);
        fst_buf_release(&stacks.text);
    }
}

static void titles_are_read_from_the_right(void **state)
{
    (void)state;
    static const struct {
        const char *title;
        const char *stack;
    } rows[] = {
        {"f (10 samples, 100%)", "f 10\n"},
        {"f (10 samples, 100.00%)", "f 10\n"},
        {"f (1 samples, 9.99%)", "f 1\n"},
        {"f (10 bytes, 100%; +1.23%)", "f 10\n"},
        {"f (10 bytes, 100%; -1.23%)", "f 10\n"},
        {"f (10 bytes, 100%; 0.00%)", "f 10\n"},
        {"f (10 CPU cycles, 100%)", "f 10\n"},
        {"f (10 , 100%)", "f 10\n"},
        {"f (1,0 x (y), 100%)", "f 10\n"},
        {"f (a.py:3) (10 samples, 100%)", "f (a.py:3) 10\n"},
        {"f (9 samples, 99%) (10 samples, 100%)", "f (9 samples, 99%) 10\n"},
        {"f (9 a, 1%; 2%) (10 b, 100%; +3%)", "f (9 a, 1%; 2%) 10\n"},
        {"f((int, char) (10 samples, 100%)", "f((int, char) 10\n"},
        {"a &lt;b&gt; &amp; &quot;c&quot; &#x65; (10 samples, 100%)", "a <b> & \"c\" e 10\n"},
        {"<![CDATA[<f>]]> (10 samples, 100%)", "<f> 10\n"},
        {"  f   (10 samples, 100%)", "  f   10\n"},
        {" (10 samples, 100%)", "[empty] 10\n"},
        {"\xce\xbb (10 samples, 100%)", "\xce\xbb 10\n"},
        {"f<tspan>g</tspan>h (10 samples, 100%)", "fgh 10\n"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf text = {0};
        fst_buf_add_fmt(&text,
                        "<svg>%s<g><title>%s</title>"
                        "<rect x=\"10\" y=\"70\" width=\"1000\"/></g></svg>",
                        ALL, rows[i].title);
        struct fst_buf wanted = {0};
        bool whole = strstr(rows[i].stack, " 10\n") != NULL;
        fst_buf_add_fmt(&wanted, "%s%s", whole ? "" : "[no Python frames] 9\n", rows[i].stack);
        fst_buf_add_char(&wanted, '\0');
        require_stacks(i, fst_buf_str(&text), wanted.data);
        fst_buf_release(&text);
        fst_buf_release(&wanted);
    }
}

static void other_titles_are_no_frames(void **state)
{
    (void)state;
    static const char *const titles[] = {
        "",
        "f",
        "f (10 samples)",
        "f (10 samples, 100%",
        "f (samples, 100%)",
        "f (10 samples, %)",
        "f (10 samples, x%)",
        "f (10 samples 100%)",
        "f (10, 100%)",
        "f(10 samples, 100%)",
        "(10 samples, 100%)",
        "f (,1 samples, 100%)",
        "f (-1 samples, 100%)",
        "f (10 samples, 100%; %)",
        "f (10 samples, 1%) ",
        "%)",
        ")",
        ", 1%)",
    };
    for (size_t i = 0; i < FST_COUNT_OF(titles); i++) {
        struct fst_buf text = {0};
        fst_buf_add_fmt(&text,
                        "<svg><g><title>%s</title><rect x=\"10\" y=\"70\" width=\"9\"/></g></svg>",
                        titles[i]);
        require_refusal(i, fst_buf_str(&text), "an SVG, but no flame graph", 0);
        fst_buf_release(&text);
    }
}

static void frames_stand_in_groups_of_many_forms(void **state)
{
    (void)state;
    static const struct {
        struct fst_str text;
        const char *stacks;
    } rows[] = {
        {TEXT("<svg>" ALL "</svg>"), "[no Python frames] 10\n"},
        {TEXT("\xef\xbb\xbf<?xml version='1.0' encoding='UTF-8'?><svg>" ALL "</svg>"),
         "[no Python frames] 10\n"},
        {TEXT("<?xml version='1.0' encoding='ISO-8859-1'?><svg>" ALL
              "<g><title>\xe9 (10 samples, 100%)</title>"
              "<rect x='10' y='70' width='1000'/></g></svg>"),
         "\xc3\xa9 10\n"},
        {TEXT("<svg>" ALL "<a href=''><title>f (10 samples, 100%)</title>"
              "<rect x='10' y='70' width='1000'/></a></svg>"),
         "f 10\n"},
        {TEXT("<svg>" ALL "<g><title>f (10 samples, 100%)</title>"
              "<a href=''><rect x='10' y='70' width='1000'/></a></g></svg>"),
         "f 10\n"},
        {TEXT("<svg>" ALL "<a href=''><g id='x'>\n<title>f (10 samples, 100%)</title>\n"
              "<text/><rect x='10' y='70' width='1000'></rect></g></a></svg>"),
         "f 10\n"},
        {TEXT("<svg><g id='frames'>" ALL "</g><title>a (1 samples, 2%)</title>"
              "<rect x='0' y='0' width='9'/></svg>"),
         "[no Python frames] 10\n"},
        {TEXT("<svg>" ALL "<g><title>b (1 samples, 2%)</title></g>"
              "<rect x='0' y='0' width='9'/></svg>"),
         "[no Python frames] 10\n"},
        {TEXT("<svg>" ALL "<g><title>f (10 samples, 100%)</title>"
              "<rect x='10' y='70' width='1000'/><rect x='10' y='50' width='1000'/></g></svg>"),
         "f 10\n"},
        {TEXT("<svg>" FG("all (10 samples, 100%)", "0", "90", "10")
                  FG("f (a.py:1) (6 samples, 60%)", "0", "106", "6")
                      FG("named by the user", "6", "106", "3") "</svg>"),
         "[no Python frames] 1\nf (a.py:1) 6\nnamed by the user 3\n"},
        {TEXT("<svg>" FG("all (0 samples, 100%)", "0", "90", "0") "</svg>"), ""},
        {TEXT("<svg>" PX("all (0 samples, 100%)", "10", "90", "1180") "</svg>"), ""},
        {TEXT("<svg>" FG("all (12 samples, 100%)", "0", "90", "10") "</svg>"),
         "[no Python frames] 10\n"},
        {TEXT("<svg>" PX("all (10 samples, 100%)", "1e1", "90", "1e+3")
                  PX("f (4 samples, 40%)", "10.0000001", "70", ".4e3") "</svg>"),
         "[no Python frames] 6\nf 4\n"},
        {TEXT("<svg>" PX("all (10 samples, 100%)", "0.0000%", "-9.5", "100.0000%")
                  PX("f (4 samples, 40%)", "0.0000%", "-25.5", "40.0000%") "</svg>"),
         "[no Python frames] 6\nf 4\n"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        require_stacks(i, rows[i].text, rows[i].stacks);
    }
}

static void geometry_tells_who_called_whom(void **state)
{
    (void)state;
    static const struct {
        struct fst_str text;
        const char *stacks;
    } rows[] = {
        /* one is the other upside down; the order in the file is no matter */
        {TEXT("<svg>" FG("b (3 samples, 30%)", "4", "50", "3")
                  FG("a (7 samples, 70%)", "0", "70", "7")
                      FG("all (10 samples, 100%)", "0", "90", "10") "</svg>"),
         "[no Python frames] 3\na 4\na;b 3\n"},
        {TEXT("<svg>" FG("b (3 samples, 30%)", "4", "90", "3")
                  FG("a (7 samples, 70%)", "0", "70", "7")
                      FG("all (10 samples, 100%)", "0", "50", "10") "</svg>"),
         "[no Python frames] 3\na 4\na;b 3\n"},
        /* a function of the root's name; one at the end of the only stack */
        {TEXT("<svg>" FG("all (10 samples, 100%)", "0", "50", "10")
                  FG("all (6 samples, 60%)", "0", "66", "6") "</svg>"),
         "[no Python frames] 4\nall 6\n"},
        {TEXT("<svg>" FG("all (10 samples, 100%)", "0", "50", "10")
                  FG("f (10 samples, 100%)", "0", "66", "10")
                      FG("all (6 samples, 60%)", "0", "82", "6") "</svg>"),
         "f 4\nf;all 6\n"},
        /* roots without a picture's root */
        {TEXT("<svg>" FG("a (6 samples, 60%)", "0", "50", "6")
                  FG("b (4 samples, 40%)", "6", "50", "4")
                      FG("c (3 samples, 30%)", "6", "66", "3") "</svg>"),
         "a 6\nb 1\nb;c 3\n"},
        {TEXT("<svg>" FG("total (6 samples, 60%)", "0", "50", "6") "</svg>"), "total 6\n"},
        /* tenths of a pixel: neighbours, a width of nothing, a middle beyond the edge */
        {TEXT("<svg>" ALL PX("a (1 samples, 1%)", "10.0", "70", "0.1")
                  PX("b (1 samples, 1%)", "10.1", "70", "0.1")
                      PX("c (1 samples, 1%)", "10.1", "50", "0.1") "</svg>"),
         "[no Python frames] 8\na 1\nb;c 1\n"},
        {TEXT("<svg>" ALL PX("a (2 samples, 1%)", "10.0", "70", "0.0") "</svg>"),
         "[no Python frames] 10\n"},
        {TEXT("<svg>" ALL PX("a (2 samples, 1%)", "10.0", "70", "0.1")
                  PX("b (2 samples, 1%)", "10.0", "50", "0.4") "</svg>"),
         "[no Python frames] 8\na;b 2\n"},
        {TEXT("<svg>" ALL PX("a (2 samples, 1%)", "10.0", "70", "0.1")
                  PX("b (3 samples, 1%)", "10.0", "50", "0.4") "</svg>"),
         "[no Python frames] 5\na 2\nb 3\n"},
        /* counts that were rounded, so that they do not add up */
        {TEXT("<svg>" PX("all (2 samples, 100%)", "0", "70", "90")
                  PX("a (1 samples, 1%)", "0", "50", "30") PX("b (1 samples, 1%)", "30", "50", "30")
                      PX("c (1 samples, 1%)", "60", "50", "30") "</svg>"),
         "a 1\nb 1\nc 1\n"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        require_stacks(i, rows[i].text, rows[i].stacks);
    }
}

static void what_is_no_picture_of_stacks_is_refused(void **state)
{
    (void)state;
    static const char cut[] = "the SVG is cut: it ends before its elements are closed";
    static const char place[] =
        "a damaged flame graph: the place of \"f\" is no number, or out of range";
    static const char mixed[] =
        "a damaged flame graph: some frames have fg:x and fg:w and some do not";
    static const struct {
        struct fst_str text;
        const char *message;
        uint64_t line;
    } rows[] = {
        {TEXT(""), cut, 1},
        {TEXT("\n\n"), cut, 3},
        {TEXT("<svg>\n<g>\n"), cut, 3},
        {TEXT("<svg><![CDATA["), cut, 1},
        {TEXT("<svg \n"), cut, 1},
        {TEXT("main;work 12\n"), "malformed XML: not well-formed (invalid token)", 1},
        {TEXT("<svg>\n<g></a></svg>"), "malformed XML: mismatched tag", 2},
        {TEXT("<svg>\n\n&nope;</svg>"), "malformed XML: undefined entity", 3},
        {TEXT("<!DOCTYPE svg SYSTEM 'x.dtd'>\n<svg>&nope;</svg>"),
         "malformed XML: an entity that is not declared", 2},
        {TEXT("<svg>\n<g><title>\xff</title></g></svg>"),
         "malformed XML: not well-formed (invalid token)", 2},
        {TEXT("<svg>" ALL "</svg>\n<svg/>"), "malformed XML: junk after document element", 2},
        {TEXT("<?xml version='1.0' encoding='x'?>\n<svg/>"), "malformed XML: unknown encoding", 1},
        {TEXT("<html>\n</html>"), "XML, but no SVG of a flame graph", 1},
        {TEXT("<svg/>"), "an SVG, but no flame graph", 0},
        {TEXT("<svg><g><title>all (1 samples, 100%)</title></g></svg>"),
         "an SVG, but no flame graph", 0},
        {TEXT("<svg>\n" PX("f (1 samples, 1%)", "x", "9", "9") "</svg>"), place, 2},
        {TEXT("<svg>\n" PX("f (1 samples, 1%)", "9", "9", "-1") "</svg>"), place, 2},
        {TEXT("<svg>\n" PX("f (1 samples, 1%)", "9", "nan", "9") "</svg>"), place, 2},
        {TEXT("<svg>\n" PX("f (1 samples, 1%)", "1e300", "9", "9") "</svg>"), place, 2},
        {TEXT("<svg>\n" PX("f (1 samples, 1%)", "1e15", "9", "9") "</svg>"), place, 2},
        {TEXT("<svg><g><title>f (1 samples, 1%)</title><rect x='1' y='1'/></g></svg>"), place, 1},
        {TEXT("<svg>\n" FG("f (1 samples, 1%)", "-1", "9", "9") "</svg>"), place, 2},
        {TEXT("<svg>\n" FG("f (1 samples, 1%)", "1.5", "9", "9") "</svg>"), place, 2},
        {TEXT("<svg>\n" FG("f (1 samples, 1%)", "", "9", "9") "</svg>"), place, 2},
        {TEXT("<svg>\n" FG("f (1 samples, 1%)", "0", "9", "1152921504606846977") "</svg>"), place,
         2},
        {TEXT("<svg>" PX("f (1,152,921,504,606,846,977 samples, 1%)", "0", "9", "9") "</svg>"),
         "the count of \"f\" is out of range", 1},
        {TEXT("<svg>" PX("f (99999999999999999999999999999999999999999999 samples, 1%)", "0", "9",
                         "9") "</svg>"),
         "the count of \"f\" is out of range", 1},
        {TEXT("<svg>" ALL "\n" FG("f (1 samples, 1%)", "0", "9", "9") "</svg>"), mixed, 2},
        {TEXT("<svg>" FG("f (1 samples, 1%)", "0", "9", "9") "\n" ALL "</svg>"), mixed, 2},
        {TEXT("<svg>" FG("all (9 samples, 1%)", "0", "9", "9") "\n" FG("f", "8", "25",
                                                                       "3") "</svg>"),
         "a damaged flame graph: \"f\" stands on two frames", 2},
        {TEXT("<svg>" FG("all (9 samples, 1%)", "0", "9", "9")
                  FG("\x7f\xc2\x9b", "9", "25", "3") "</svg>"),
         "a damaged flame graph: \"\\x7f\\xc2\\x9b\" stands on no other frame", 1},
        {TEXT("<svg>" FG("all (9 samples, 1%)", "0", "9", "9") FG("a", "0", "25", "8")
                  FG("b", "0", "25", "8") "</svg>"),
         "a damaged flame graph: what \"all\" called has more samples than it has itself", 1},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        require_refusal(i, rows[i].text, rows[i].message, rows[i].line);
    }
}

/* --- size ------------------------------------------------------------------------------------ */

static void add_times(struct fst_buf *text, const char *piece, size_t times)
{
    for (size_t i = 0; i < times; i++) {
        assert_true(fst_buf_add_cstr(text, piece));
    }
}

static void elements_may_be_nested_ten_thousand_times(void **state)
{
    (void)state;
    for (size_t levels = 9999; levels <= 10001; levels++) {
        struct fst_buf text = {0};
        struct stacks stacks = {0};
        struct fst_input stats = {0};
        struct fst_error err = {0};
        add_times(&text, "<svg>", 1);
        add_times(&text, "<g>", levels - 3);
        add_times(&text, ALL, 1); /* the other two */
        add_times(&text, "</g>", levels - 3);
        add_times(&text, "</svg>", 1);
        enum fst_status status = read_svg(fst_buf_str(&text), SIZE_MAX, &stacks, &stats, &err);
        assert_int_equal(status, levels <= 10000 ? FST_OK : FST_ERR_FORMAT);
        assert_string_equal(err.message,
                            levels <= 10000 ? "" : "an SVG of more than 10,000 levels of elements");
        fst_buf_release(&text);
        fst_buf_release(&stacks.text);
    }
}

/* Counts what comes, without keeping it. */
struct tally {
    size_t samples;
    size_t frames;
    size_t deepest;
};

static enum fst_status ignore_grammar(void *ctx, const struct fst_grammar *grammar,
                                      struct fst_error *err)
{
    (void)ctx;
    (void)grammar;
    (void)err;
    return FST_OK;
}

static enum fst_status count_sample(void *ctx, const struct fst_sample *sample,
                                    struct fst_error *err)
{
    (void)err;
    struct tally *tally = ctx;
    tally->samples++;
    tally->frames += sample->nframes;
    tally->deepest = sample->nframes > tally->deepest ? sample->nframes : tally->deepest;
    return FST_OK;
}

static enum fst_status tally_svg(struct fst_str text, struct tally *tally, struct fst_error *err)
{
    struct fst_svg *svg = NULL;
    struct fst_input stats = {0};
    struct fst_parser_sink sink = {.ctx = tally, .grammar = ignore_grammar, .sample = count_sample};
    assert_int_equal(fst_svg_new(sink, &(struct fst_read_options){0}, &stats, &svg, err), FST_OK);
    enum fst_status status = fst_svg_feed(svg, text, err);
    if (status == FST_OK) {
        status = fst_svg_finish(svg, err);
    }
    fst_svg_free(svg);
    return status;
}

/* A chain of calls, each of which has `own` samples of its own. */
static void draw_chain(struct fst_buf *text, size_t frames, size_t own)
{
    fst_buf_clear(text);
    fst_buf_add_cstr(text, "<svg>");
    for (size_t i = 0; i < frames; i++) {
        fst_buf_add_fmt(text,
                        "<g><title>%s (1 samples, 1%%)</title>"
                        "<rect y=\"%zu\" fg:x=\"0\" fg:w=\"%zu\"/></g>\n",
                        i == 0 ? "all" : "f", 10 + i * 16, 1 + own * (frames - i));
    }
    fst_buf_add_cstr(text, "</svg>");
    assert_false(text->failed);
}

static void stacks_may_be_deep_but_not_beyond_all_measure(void **state)
{
    (void)state;
    struct fst_buf text = {0};
    struct fst_error err = {0};
    struct tally tally = {0};
    draw_chain(&text, 100001, 0);
    assert_int_equal(tally_svg(fst_buf_str(&text), &tally, &err), FST_OK);
    assert_int_equal(tally.samples, 1);
    assert_int_equal(tally.deepest, 100000);
    tally = (struct tally){0};
    draw_chain(&text, 2001, 1);
    assert_int_equal(tally_svg(fst_buf_str(&text), &tally, &err), FST_OK);
    assert_int_equal(tally.samples, 2001);
    assert_int_equal(tally.frames, 1 + 2000 * 2001 / 2);
    draw_chain(&text, 100001, 1);
    assert_int_equal(tally_svg(fst_buf_str(&text), &tally, &err), FST_ERR_FORMAT);
    assert_string_equal(err.message, "a flame graph whose stacks hold more than 4 billion frames");
    fst_buf_release(&text);
}

static void a_tag_or_comment_may_not_go_on_for_ever(void **state)
{
    (void)state;
    static const struct {
        const char *start;
        const char *end;
    } rows[] = {
        {"<svg><!--", "--></svg>"},
        {"<svg a='", "'/>"},
        {"<svg><", "/></svg>"},
        {"<?x ", "?><svg/>"},
    };
    struct fst_buf text = {0};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_error err = {0};
        struct tally tally = {0};
        fst_buf_clear(&text);
        fst_buf_add_cstr(&text, rows[i].start);
        fst_buf_add_fill(&text, 'x', (size_t)17 << 20);
        fst_buf_add_cstr(&text, rows[i].end);
        assert_int_equal(tally_svg(fst_buf_str(&text), &tally, &err), FST_ERR_FORMAT);
        assert_string_equal(err.message, "an SVG with a tag or comment of more than 16 MiB");
    }
    /* text and scripts come in pieces and may have any length */
    fst_buf_clear(&text);
    fst_buf_add_cstr(&text, "<svg><script><![CDATA[");
    fst_buf_add_fill(&text, 'x', (size_t)17 << 20);
    fst_buf_add_cstr(&text, "]]></script>" ALL "</svg>");
    struct tally tally = {0};
    assert_int_equal(tally_svg(fst_buf_str(&text), &tally, NULL), FST_OK);
    assert_int_equal(tally.samples, 1);
    fst_buf_release(&text);
}

static void a_sink_can_stop_the_reader(void **state)
{
    (void)state;
    struct fst_buf text = {0};
    struct stacks stacks = {.stop_after = 2};
    struct fst_input stats = {0};
    struct fst_error err = {0};
    read_fixture("svg", "gap.svg", &text);
    assert_int_equal(read_svg(fst_buf_str(&text), 100, &stacks, &stats, &err), FST_ERR_RANGE);
    assert_string_equal(err.message, "stopped");
    assert_int_equal(stacks.samples, 2);
    fst_buf_release(&text);
    fst_buf_release(&stacks.text);
    fst_svg_free(NULL);
}

/* --- chance ---------------------------------------------------------------------------------- */

enum { MOST_DRAWN = 2000 };

/* A picture that is being drawn, and the stacks that it shows. */
struct picture {
    struct fst_buf frames[MOST_DRAWN]; /* one element each */
    size_t nframes;
    struct fst_buf stacks;
    struct fst_buf stack; /* of the frame at hand, without the root */
    uint64_t total;
    bool icicle;
    bool in_samples;
    uint64_t seed;
};

static const char *const function_names[] = {
    "f", "main (a.py:3)", "operator()(int, char)", "a<b> & c", "f (2 samples, 1%)", "\xce\xbb",
};

static void draw_title(struct picture *picture, struct fst_buf *out, const char *name,
                       uint64_t count)
{
    for (const char *at = name; *at != '\0'; at++) {
        switch (*at) {
        case '<': fst_buf_add_cstr(out, "&lt;"); break;
        case '>': fst_buf_add_cstr(out, "&gt;"); break;
        case '&': fst_buf_add_cstr(out, "&amp;"); break;
        default: fst_buf_add_char(out, *at);
        }
    }
    fst_buf_add_fmt(out, " (%llu samples, %.2f%%)", (unsigned long long)count,
                    100.0 * (double)count / (double)picture->total);
}

/* Draws a frame as the programs do; false if it is too narrow. */
static bool draw_frame(struct picture *picture, const char *name, size_t depth, uint64_t from,
                       uint64_t count)
{
    double scale = 1180.0 / (double)picture->total;
    if (picture->nframes == MOST_DRAWN || (double)count * scale < 0.1) {
        return false;
    }
    char left[32];
    char right[32];
    (void)snprintf(left, sizeof left, "%.1f", 10 + (double)from * scale);
    (void)snprintf(right, sizeof right, "%.1f", 10 + (double)(from + count) * scale);
    int y = (int)(picture->icicle ? depth * 16 : 4000 - depth * 16);
    struct fst_buf *out = &picture->frames[picture->nframes++];
    fst_buf_add_cstr(out, "<g><title>");
    draw_title(picture, out, name, count);
    fst_buf_add_fmt(out, "</title><rect x=\"%s\" y=\"%d\" width=\"%.1f\" height=\"15\"", left, y,
                    strtod(right, NULL) - strtod(left, NULL));
    if (picture->in_samples) {
        fst_buf_add_fmt(out, " fg:x=\"%llu\" fg:w=\"%llu\"", (unsigned long long)from,
                        (unsigned long long)count);
    }
    fst_buf_add_cstr(out, "/></g>\n");
    return true;
}

/* Draws what a frame of `count` samples called, and writes down its stack and those above it. How
 * many samples it has of its own is known last, but its stack comes first. */
static void draw_below(struct picture *picture, size_t depth, uint64_t from, uint64_t count)
{
    struct fst_buf *stacks = &picture->stacks;
    struct fst_buf above = {0};
    size_t name_len = picture->stack.len;
    size_t here = stacks->len;
    uint64_t own = count;
    for (uint64_t at = from; at < from + count && depth < 200;) {
        uint64_t part = 1 + chance_below(&picture->seed, from + count - at);
        const char *name =
            function_names[chance_below(&picture->seed, FST_COUNT_OF(function_names))];
        if (chance_below(&picture->seed, 4) != 0 &&
            draw_frame(picture, name, depth + 1, at, part)) {
            fst_buf_add_cstr(&picture->stack, name_len == 0 ? "" : ";");
            fst_buf_add_cstr(&picture->stack, name);
            draw_below(picture, depth + 1, at, part);
            picture->stack.len = name_len;
            own -= part;
        }
        at += part;
    }
    if (stacks->len > here) {
        fst_buf_add(&above, stacks->data + here, stacks->len - here);
    }
    stacks->len = here;
    if (own > 0) {
        fst_buf_add_fmt(stacks, "%.*s %llu\n", name_len == 0 ? 18 : (int)name_len,
                        name_len == 0 ? "[no Python frames]" : picture->stack.data,
                        (unsigned long long)own);
    }
    fst_buf_add_str(stacks, fst_buf_str(&above));
    fst_buf_release(&above);
}

static void any_tree_is_read_back_from_its_picture(void **state)
{
    (void)state;
    uint64_t seed = take_seed("svg");
    struct picture *picture = calloc(1, sizeof *picture);
    assert_non_null(picture);
    for (size_t round = 0; round < 60; round++) {
        picture->seed = chance(&seed);
        picture->total = 1 + chance_below(&picture->seed, round % 2 == 0 ? 1000 : 1000000);
        picture->icicle = chance_below(&picture->seed, 2) == 0;
        picture->in_samples = chance_below(&picture->seed, 2) == 0;
        (void)draw_frame(picture, "all", 0, 0, picture->total);
        draw_below(picture, 0, 0, picture->total);
        shuffle(picture->frames, picture->nframes, sizeof picture->frames[0], &picture->seed);
        struct fst_buf text = {0};
        fst_buf_add_cstr(&text, "<svg>\n");
        for (size_t i = 0; i < picture->nframes; i++) {
            fst_buf_add_str(&text, fst_buf_str(&picture->frames[i]));
            fst_buf_release(&picture->frames[i]);
        }
        fst_buf_add_cstr(&text, "</svg>\n");
        fst_buf_add_char(&picture->stacks, '\0');
        require_stacks(round, fst_buf_str(&text), picture->stacks.data);
        fst_buf_release(&text);
        fst_buf_clear(&picture->stacks);
        picture->nframes = 0;
    }
    fst_buf_release(&picture->stacks);
    fst_buf_release(&picture->stack);
    free(picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_programs_draw_is_read_back),
        cmocka_unit_test(damaged_and_crafted_files_are_refused),
        cmocka_unit_test(stats_and_lines_are_those_of_the_file),
        cmocka_unit_test(the_dialect_is_told_or_asked_for),
        cmocka_unit_test(units_are_those_of_titles_or_of_the_dialect),
        cmocka_unit_test(stacks_are_shaped_by_the_dialect),
        cmocka_unit_test(what_is_counted_is_the_titles_word),
        cmocka_unit_test(our_own_pictures_say_what_they_are),
        cmocka_unit_test(titles_are_read_from_the_right),
        cmocka_unit_test(other_titles_are_no_frames),
        cmocka_unit_test(frames_stand_in_groups_of_many_forms),
        cmocka_unit_test(geometry_tells_who_called_whom),
        cmocka_unit_test(what_is_no_picture_of_stacks_is_refused),
        cmocka_unit_test(elements_may_be_nested_ten_thousand_times),
        cmocka_unit_test(stacks_may_be_deep_but_not_beyond_all_measure),
        cmocka_unit_test(a_tag_or_comment_may_not_go_on_for_ever),
        cmocka_unit_test(a_sink_can_stop_the_reader),
        cmocka_unit_test(any_tree_is_read_back_from_its_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
