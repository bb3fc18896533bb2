/*
 * What a program needs to start. Hostile input.
 */
#include <elf.h>

#include "base/arena.h"
#include "base/program.h"
#include "tests/unit/tap.h"

static struct arena arena;

static const char *script(const char *head)
{
	return program_interpreter(&arena, head, strlen(head));
}

static void test_scripts(void)
{
	tap_text(script("#!/bin/sh\n"), "/bin/sh", "a script");
	tap_text(script("#! \t/bin/sh -e\nx"), "/bin/sh", "blanks, argument");
	tap_text(script("#!/bin/sh"), "/bin/sh", "no line end");
	tap_text(script("#!\n/bin/sh"), NULL, "nothing named");
	tap_text(script("#!   "), NULL, "only blanks");
	tap_text(script("#!"), NULL, "the mark alone");
	tap_text(script("#"), NULL, "half a mark");
	tap_text(script(""), NULL, "an empty file");
	tap_text(script(" #!/bin/sh\n"), NULL, "the mark comes first");
	tap_text(script("#!python\n"), "python", "a relative name");
	tap_text(program_interpreter(&arena, "#!/bin\0/sh", 10), "/bin",
		 "a NUL ends the name");
	tap_text(program_interpreter(&arena, "#!/bin/sh\n", 6), "/bin",
		 "never behind the end");
}

struct image {
	Elf64_Ehdr file;
	Elf64_Phdr parts[2];
	char name[16];
};

static struct image good_image(void)
{
	struct image image = { .name = "/lib/ld.so" };

	memcpy(image.file.e_ident, ELFMAG, SELFMAG);
	image.file.e_ident[EI_CLASS] = ELFCLASS64;
	image.file.e_phoff = offsetof(struct image, parts);
	image.file.e_phnum = 2;
	image.parts[0].p_type = PT_LOAD;
	image.parts[1].p_type = PT_INTERP;
	image.parts[1].p_offset = offsetof(struct image, name);
	image.parts[1].p_filesz = 11;
	return image;
}

static const char *loader(const struct image *image, size_t length)
{
	return program_interpreter(&arena, image, length);
}

static void test_elf(void)
{
	struct image image = good_image();

	tap_text(loader(&image, sizeof(image)), "/lib/ld.so", "a loader");
	image.parts[1].p_type = PT_NOTE;
	tap_text(loader(&image, sizeof(image)), NULL, "a static program");
	image = good_image();
	image.parts[1].p_filesz = 4;
	tap_text(loader(&image, sizeof(image)), "/lib", "size without a NUL");
	for (size_t length = 0; length < sizeof(image) - 5; length++) {
		const char *name = loader(&image, length);

		if (name != NULL && length < offsetof(struct image, name) + 4) {
			tap_ok(false, "cut at %zu", length);
			return;
		}
	}
	tap_ok(true, "cut anywhere");
}

static void test_hostile(void)
{
	struct image image = good_image();

	image.parts[1].p_offset = UINT64_MAX;
	tap_text(loader(&image, sizeof(image)), NULL, "offset wraps");
	image = good_image();
	image.parts[1].p_filesz = UINT64_MAX;
	tap_text(loader(&image, sizeof(image)), NULL, "size wraps");
	image = good_image();
	image.parts[1].p_filesz = 0;
	tap_text(loader(&image, sizeof(image)), NULL, "size of nothing");
	image = good_image();
	image.file.e_phoff = UINT64_MAX - 20;
	tap_text(loader(&image, sizeof(image)), NULL, "headers wrap");
	image = good_image();
	image.file.e_phnum = UINT16_MAX;
	image.parts[1].p_type = PT_LOAD;
	tap_text(loader(&image, sizeof(image)), NULL, "too many headers");
}

static void test_elf32(void)
{
	struct {
		Elf32_Ehdr file;
		Elf32_Phdr part;
		char name[16];
	} image = { .name = "/lib/ld32.so" };

	memcpy(image.file.e_ident, ELFMAG, SELFMAG);
	image.file.e_ident[EI_CLASS] = ELFCLASS32;
	image.file.e_phoff = sizeof(image.file);
	image.file.e_phnum = 1;
	image.part.p_type = PT_INTERP;
	image.part.p_offset = sizeof(image.file) + sizeof(image.part);
	image.part.p_filesz = 13;
	tap_text(program_interpreter(&arena, &image, sizeof(image)),
		 "/lib/ld32.so", "a loader of 32 bits");
	image.part.p_offset = UINT32_MAX;
	image.part.p_filesz = UINT32_MAX;
	tap_text(program_interpreter(&arena, &image, sizeof(image)), NULL,
		 "offset and size out of it");
}

int main(void)
{
	test_scripts();
	test_elf();
	test_hostile();
	test_elf32();
	return tap_done();
}
