// SPDX-License-Identifier: BSL-1.0
// Runs headstrong_embed: exit codes, sentences, and that nothing is written when something is wrong.
#include "../unit/safetensors_file.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, const tests::bytes& bytes)
{
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// The folder of one test, empty at first, and the tool that runs in it. Arguments of the test: the tool, a folder.
struct bench {
    bench()
        : tool(boost::unit_test::framework::master_test_suite().argv[1]),
          folder(boost::unit_test::framework::master_test_suite().argv[2])
    {
        fs::remove_all(folder);
        fs::create_directories(folder);
    }

    /// Runs the tool on m.safetensors; whether it succeeded. What it printed is in `said`.
    bool run(const std::string& arguments)
    {
        const std::string command = "cd '" + folder.string() + "' && '" + tool + "' " + arguments + " 2>said >printed";
        const bool ok = std::system(command.c_str()) == 0;
        said = contents(folder / "said");
        fs::remove(folder / "said");
        fs::remove(folder / "printed");
        return ok;
    }

    /// The files in the folder.
    std::size_t files() const
    {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }

    /// The tool must fail with this sentence and leave an older header as it was, and no other file.
    void refuse(const std::string& arguments, const std::string& sentence)
    {
        write(folder / "out.hpp", {'o', 'l', 'd'});
        const std::size_t before = files();
        for (const char* packed : {"", " --packed header", " --packed binary"}) {
            BOOST_TEST(!run("m.safetensors -o out.hpp " + arguments + packed));
            BOOST_TEST(said == sentence + "\n");
            BOOST_TEST(contents(folder / "out.hpp") == "old");
            BOOST_TEST(files() == before);
        }
    }

    std::string tool;
    fs::path folder;
    std::string said;
};

tests::safetensors_builder layer()
{
    return tests::safetensors_builder()
        .floats("l.w_q", {2, 3, 4})
        .floats("l.w_k", {2, 3, 4})
        .floats("l.w_v", {2, 3, 4})
        .floats("l.w_o", {4, 6});
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_good_file_gives_the_files_asked_for, bench)
{
    write(folder / "m.safetensors", layer().file());
    BOOST_TEST(run("m.safetensors -o out.hpp --layer l=l."));
    BOOST_TEST(said == "");
    BOOST_TEST(files() == 2u);
    BOOST_TEST(run("m.safetensors -o out.hpp --namespace a::b --layer l=l.:heads=2,d_model=4 --packed binary"));
    BOOST_TEST(files() == 4u);
    BOOST_TEST(contents(folder / "out.bin").size() % 64 == 0u);
    BOOST_TEST(contents(folder / "out.S").find("a_b_l:") != std::string::npos);
    const std::string first = contents(folder / "out.hpp");
    BOOST_TEST(run("m.safetensors -o out.hpp --namespace a::b --layer l=l.:heads=2,d_model=4 --packed binary"));
    BOOST_TEST(contents(folder / "out.hpp") == first);
}

BOOST_FIXTURE_TEST_CASE(a_bad_file_writes_nothing, bench)
{
    tests::bytes cut = layer().file();
    cut.resize(cut.size() - 1);
    write(folder / "m.safetensors", cut);
    refuse("--layer l=l.", "m.safetensors: tensor l.w_o: expected data_offsets within the 383 bytes of data, found [288, 384]");
    write(folder / "m.safetensors", tests::raw_file("{\"a\":[]}"));
    refuse("--matrix a", "m.safetensors: tensor a: header byte 5: expected '{', found '['");
    write(folder / "m.safetensors", {});
    refuse("--matrix a", "m.safetensors: expected at least 8 bytes, found 0 bytes");
    fs::remove(folder / "m.safetensors");
    refuse("--matrix a", "m.safetensors: expected a file that can be read, found none");
    fs::create_directory(folder / "m.safetensors");
    refuse("--matrix a", "m.safetensors: expected a file that can be read, found none");
}

BOOST_FIXTURE_TEST_CASE(a_tensor_that_does_not_fit_writes_nothing, bench)
{
    write(folder / "m.safetensors",
          layer().floats("deep", {1, 1, 1, 1}).floats("none", {0}).tensor("f8", "F8_E4M3", {1}, {0}).file());
    refuse("--matrix x", "m.safetensors: tensor x: expected a tensor of this name, found none");
    refuse("--layer x", "m.safetensors: tensor xw_q: expected a tensor of this name, found none");
    refuse("--layer l=l.:d_k=5", "m.safetensors: tensor l.w_q: expected F32 (2, 5, 4), found F32 (2, 3, 4)");
    refuse("--layer l=l.:d_v=2", "m.safetensors: tensor l.w_v: expected F32 (2, 2, 4), found F32 (2, 3, 4)");
    refuse("--layer l=l.:heads=3,kv_heads=2",
           "m.safetensors: layer l.: expected heads to be a multiple of kv_heads, found 3 and 2");
    refuse("--matrix deep", "m.safetensors: tensor deep: expected one to three axes of at least 1, found 4 axes");
    refuse("--matrix none", "m.safetensors: tensor none: expected one to three axes of at least 1, found an axis of 0");
    refuse("--matrix f8", "m.safetensors: tensor f8: expected numbers that C++ has, such as F32, found F8_E4M3");
    refuse("--pytorch-layer x:heads=2", "m.safetensors: tensor xout_proj.weight: expected a tensor of this name, found none");
    refuse("--pytorch-layer x", "layer x: expected heads=..., which a state of PyTorch does not hold, found none");
}

BOOST_FIXTURE_TEST_CASE(a_state_of_pytorch_that_does_not_fit_writes_nothing, bench)
{
    write(folder / "m.safetensors", tests::safetensors_builder()
                                        .floats("in_proj_weight", {12, 4})
                                        .floats("out_proj.weight", {4, 4})
                                        .floats("bad.in_proj_weight", {12, 3})
                                        .floats("bad.out_proj.weight", {4, 4})
                                        .file());
    BOOST_TEST(run("m.safetensors -o good.hpp --pytorch-layer a=:heads=2"));
    refuse("--pytorch-layer a=:heads=3", "m.safetensors: layer : expected heads that divide d_model = 4, found 3");
    refuse("--pytorch-layer a=bad.:heads=2",
           "m.safetensors: tensor bad.in_proj_weight: expected F32 (12, 4), found F32 (12, 3)");
    refuse("--pytorch-layer a=:heads=2,d_k=3", "layer a: expected d_k=2 in a layer of PyTorch, found 3");
}

BOOST_FIXTURE_TEST_CASE(arguments_are_checked, bench)
{
    write(folder / "m.safetensors", layer().file());
    const std::string wanted = ": expected a C++ name of letters, digits and single underscores that is no keyword, found ";
    refuse("--matrix l.w_q", "l.w_q" + wanted + "\"l.w_q\"");
    refuse("--matrix 1=l.w_q", "1=l.w_q" + wanted + "\"1\"");
    refuse("--matrix =l.w_q", "=l.w_q" + wanted + "\"\"");
    refuse("--matrix a__b=l.w_q", "a__b=l.w_q" + wanted + "\"a__b\"");
    refuse("--matrix _A=l.w_q", "_A=l.w_q" + wanted + "\"_A\"");
    refuse("--matrix double=l.w_q", "double=l.w_q" + wanted + "\"double\"");
    refuse("--matrix 'a;b=l.w_q'", "a;b=l.w_q" + wanted + "\"a;b\"");
    refuse("--matrix a=l.w_q --namespace a::", "namespace a::" + wanted + "\"\"");
    refuse("--matrix a=l.w_q --namespace 'x{}'", "namespace x{}" + wanted + "\"x{}\"");
    refuse("--matrix a=l.w_q a=l.w_k", "a: expected a name for one variable, found it for two");
    refuse("--layer a=l.:size=3",
           "a=l.:size=3: expected d_model, heads, d_k, d_v, d_key, d_value, d_out or kv_heads, found \"size\"");
    refuse("--layer a=l.:d_k=0", "a=l.:d_k=0: expected d_k from 1 to 1000000, found \"0\"");
    refuse("--layer a=l.:d_k=3x", "a=l.:d_k=3x: expected d_k from 1 to 1000000, found \"3x\"");
    refuse("--layer a=l.:d_k=3,d_k=3", "a=l.:d_k=3,d_k=3: expected d_k once, found it twice");
    refuse("", "headstrong_embed: expected --matrix, --columns, --layer or --pytorch-layer, found none");
    BOOST_TEST(!run("m.safetensors"));
    BOOST_TEST(!run("m.safetensors -o out.hpp --matrix a=l.w_q --packed tight"));
    BOOST_TEST(!run("m.safetensors -o no/such/folder/out.hpp --matrix a=l.w_q"));
}
