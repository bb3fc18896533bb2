/*
 * Rules to BPF. A binary tree over ranges of call numbers with one verdict
 * leads to that verdict, or to the tests of a call's arguments.
 *
 * libseccomp's own generator is not used: it has no "otherwise" for a call
 * whose conditions do not hold, forgets conditional rules beside an
 * unconditional one, opens socketcall() where socket() is allowed, and makes
 * one leaf of each call, which is six times the code to load. The kernel runs
 * a filter once for each number while loading it, to find the calls that are
 * always allowed (seccomp_cache_prepare, 5.11), so short paths count.
 */
#include "program.h"

#include <linux/seccomp.h>
#include <stdlib.h>

/* The longest distance of a conditional jump, less the two instructions that
 * may have to go in between. */
enum { NEAR = 253 };

/* Numbers from @from to the next range's. */
struct range {
	uint32_t from;
	uint32_t action; /* of a range without rows */
	const struct row *rows;
	size_t count;
};

void program_init(struct program *program)
{
	program->start = BPF_MAXINSNS;
	program->full = false;
}

static size_t put(struct program *program, struct sock_filter instruction)
{
	if (program->start == 0)
		program->full = true;
	else
		program->code[--program->start] = instruction;
	return program->start;
}

size_t program_return(struct program *program, uint32_t action)
{
	const struct sock_filter wanted = BPF_STMT(BPF_RET | BPF_K, action);
	size_t i;

	for (i = program->start; i < BPF_MAXINSNS; i++) {
		if (i - program->start == NEAR)
			break;
		if (program->code[i].code == wanted.code &&
		    program->code[i].k == action)
			return i;
	}
	return put(program, wanted);
}

static size_t put_go(struct program *program, size_t target)
{
	const uint32_t distance = (uint32_t)(target - program->start);

	return put(program,
		   (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, distance));
}

/* A stand-in for @target that a conditional jump can reach. */
static size_t reach(struct program *program, size_t target)
{
	if (target - program->start <= NEAR)
		return target;
	if (program->code[target].code == (BPF_RET | BPF_K))
		return put(program, program->code[target]);
	return put_go(program, target);
}

size_t program_jump(struct program *program, uint16_t test, uint32_t k,
		    struct fork fork)
{
	struct sock_filter jump = { .code = BPF_JMP | BPF_K, .k = k };

	fork.yes = reach(program, fork.yes);
	fork.no = reach(program, fork.no);
	jump.code |= test;
	jump.jt = (uint8_t)(fork.yes - program->start);
	jump.jf = (uint8_t)(fork.no - program->start);
	return put(program, jump);
}

size_t program_load(struct program *program, size_t offset, size_t next)
{
	const struct sock_filter load = BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						 (uint32_t)offset);

	if (next != program->start)
		put_go(program, next);
	return put(program, load);
}

/* Where the low and the high half of an argument are. */
static size_t low_half(unsigned int argument)
{
	return offsetof(struct seccomp_data, args) + (size_t)8 * argument +
	       (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4U : 0U);
}

static size_t high_half(unsigned int argument)
{
	return low_half(argument) ^ 4U;
}

/* (accumulator & mask) == value */
static size_t put_masked(struct program *program, uint32_t mask, uint32_t value,
			 struct fork fork)
{
	const struct sock_filter and = BPF_STMT(BPF_ALU | BPF_AND | BPF_K,
						mask);
	const struct fork turned = { fork.no, fork.yes };

	if (mask == UINT32_MAX)
		return program_jump(program, BPF_JEQ, value, fork);
	if (value == 0)
		return program_jump(program, BPF_JSET, mask, turned);
	program_jump(program, BPF_JEQ, value, fork);
	return put(program, and);
}

/* A half that the mask leaves out is not looked at. */
static size_t put_equal(struct program *program,
			const struct condition *condition, struct fork fork)
{
	const uint32_t masks[2] = { (uint32_t)condition->mask,
				    (uint32_t)(condition->mask >> 32) };
	const uint32_t values[2] = { (uint32_t)condition->value,
				     (uint32_t)(condition->value >> 32) };
	const size_t offsets[2] = { low_half(condition->argument),
				    high_half(condition->argument) };

	for (int i = 0; i < 2; i++) {
		if (masks[i])
			fork.yes = program_load(
				program, offsets[i],
				put_masked(program, masks[i], values[i], fork));
	}
	return fork.yes;
}

/* @test is BPF_JGT or BPF_JGE; the low half decides when the high halves are
 * the same. */
static size_t put_order(struct program *program, uint16_t test,
			const struct condition *condition, struct fork fork)
{
	const uint32_t high = (uint32_t)(condition->value >> 32);
	struct fork same = { .no = fork.no };
	struct fork above = { .yes = fork.yes };
	size_t place;

	place = program_jump(program, test, (uint32_t)condition->value, fork);
	same.yes = program_load(program, low_half(condition->argument), place);
	above.no = program_jump(program, BPF_JEQ, high, same);
	place = program_jump(program, BPF_JGT, high, above);
	return program_load(program, high_half(condition->argument), place);
}

static size_t put_condition(struct program *program,
			    const struct condition *condition, struct fork fork)
{
	const struct fork turned = { fork.no, fork.yes };

	if (fork.yes == fork.no)
		return fork.yes;
	switch (condition->comparison) {
	case COMPARE_NE:
		return put_equal(program, condition, turned);
	case COMPARE_LT:
		return put_order(program, BPF_JGE, condition, turned);
	case COMPARE_LE:
		return put_order(program, BPF_JGT, condition, turned);
	case COMPARE_GE:
		return put_order(program, BPF_JGE, condition, fork);
	case COMPARE_GT:
		return put_order(program, BPF_JGT, condition, fork);
	case COMPARE_EQ:
	case COMPARE_MASKED_EQ:
	case COMPARE_COUNT:
		break;
	}
	return put_equal(program, condition, fork);
}

/* Whether both have the same condition at @depth. */
static bool is_shared(const struct rule *left, const struct rule *right,
		      size_t depth)
{
	const struct condition *a = &left->conditions[depth];
	const struct condition *b = &right->conditions[depth];

	return left->count > depth && a->argument == b->argument &&
	       a->comparison == b->comparison && a->value == b->value &&
	       a->mask == b->mask;
}

/* The first of @count rules that fits, else @otherwise. Their first @depth
 * conditions hold already; rules in a row that share the next one test it
 * once. NOLINTNEXTLINE(misc-no-recursion): as deep as a call has arguments. */
static size_t put_rules(struct program *program, const struct row *rows,
			size_t count, size_t depth, size_t otherwise)
{
	while (count > 0) {
		const struct rule *rule = rows[count - 1].rule;
		size_t first = count - 1;
		struct fork fork = { .no = otherwise };

		if (rule->count == depth) {
			otherwise = program_return(program, rule->action);
			count--;
			continue;
		}
		while (first > 0 &&
		       is_shared(rows[first - 1].rule, rule, depth))
			first--;
		fork.yes = put_rules(program, rows + first, count - first,
				     depth + 1, otherwise);
		otherwise = put_condition(program, &rule->conditions[depth],
					  fork);
		count = first;
	}
	return otherwise;
}

/* Appends to @ranges, or lengthens the last one, and returns the new count. */
static size_t add_range(struct range *ranges, size_t count, struct range range)
{
	if (count > 0 && ranges[count - 1].from == range.from)
		count--; /* an empty gap between two calls */
	if (count > 0 && !ranges[count - 1].count && !range.count &&
	    ranges[count - 1].action == range.action)
		return count;
	ranges[count] = range;
	return count + 1;
}

/* A call with an unconditional first rule is as plain as one without any. */
static struct range call_range(const struct row *rows, size_t count)
{
	struct range range = { .from = rows->number,
			       .action = rows->rule->action };

	if (rows->rule->count > 0) {
		range.rows = rows;
		range.count = count;
	}
	return range;
}

static size_t make_ranges(struct range *ranges, const struct table *table,
			  const struct defaults *defaults)
{
	struct range plain = { .from = defaults->base,
			       .action = defaults->action };
	size_t count = add_range(ranges, 0, plain);
	size_t next;

	for (size_t i = 0; i < table->count; i = next) {
		const struct row *rows = &table->rows[i];

		for (next = i; next < table->count; next++) {
			if (table->rows[next].number != rows->number)
				break;
		}
		count = add_range(ranges, count, call_range(rows, next - i));
		plain.from = rows->number + 1;
		count = add_range(ranges, count, plain);
	}
	plain.action = defaults->beyond;
	return add_range(ranges, count, plain);
}

static size_t put_range(struct program *program, const struct range *range,
			uint32_t otherwise)
{
	if (!range->count)
		return program_return(program, range->action);
	return put_rules(program, range->rows, range->count, 0,
			 program_return(program, otherwise));
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the logarithm of @count. */
static size_t put_tree(struct program *program, const struct range *ranges,
		       size_t count, uint32_t otherwise)
{
	const size_t half = count / 2;
	struct fork fork;

	if (count == 1)
		return put_range(program, ranges, otherwise);
	fork.yes = put_tree(program, ranges + half, count - half, otherwise);
	fork.no = put_tree(program, ranges, half, otherwise);
	return program_jump(program, BPF_JGE, ranges[half].from, fork);
}

size_t program_table(struct program *program, const struct table *table,
		     const struct defaults *defaults)
{
	struct range *ranges = calloc(2 * table->count + 2, sizeof(*ranges));
	size_t place = SIZE_MAX;

	if (ranges) {
		place = put_tree(program, ranges,
				 make_ranges(ranges, table, defaults),
				 defaults->action);
		free(ranges);
	}
	return place;
}
