#!/usr/bin/python3
"""A small reader of kernel-style C, for the lint scripts.

usage: csource.py code FILE...             FILE:LINE:code, without comments,
                                           literals and preprocessor lines
       csource.py calls NAMES FILE...      FILE:LINE:name:arguments of each call
                                           of one of NAMES (separated by commas)
       csource.py functions FILE...        FILE:LINE:name:lines:nesting:params

A function's body is what stands between `{` and `}` in column 0.
"""

import re
import sys

LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.M)
TOKEN = re.compile(r'\w+|[^\w\s]')
KEYWORDS = {'if', 'for', 'while', 'switch'}


def blank(match):
    """Replaces a literal or comment by as many lines of nothing."""
    text = match.group()
    quote = text[0] if text[0] in '"\'' else ' '
    return quote * 2 + '\n' * text.count('\n')


def code(path):
    """The text of a file with only code left, every line where it was."""
    with open(path, encoding='utf-8') as file:
        text = LITERAL.sub(blank, file.read())
    return DIRECTIVE.sub(lambda m: '\n' * m.group().count('\n'), text)


def closing(tokens, at):
    """The index after the bracket that closes the one at `at`."""
    pairs = {'(': ')', '{': '}', '[': ']'}
    closer = pairs[tokens[at]]
    depth = 0
    for index in range(at, len(tokens)):
        if tokens[index] == tokens[at]:
            depth += 1
        elif tokens[index] == closer:
            depth -= 1
            if depth == 0:
                return index + 1
    return len(tokens)


class Nesting:
    """Measures how deep control statements lie in each other in a body."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.deepest = 0
        self.statement(0, 0)

    def peek(self, at):
        return self.tokens[at] if at < len(self.tokens) else ''

    def controlled(self, at, depth):
        self.deepest = max(self.deepest, depth + 1)
        return self.statement(at, depth + 1)

    def is_loop_macro(self, at):
        """`for_each_x(...)` with a body, not a call that ends in `;`."""
        if not re.match(r'[A-Za-z_]', self.peek(at)) or self.peek(at + 1) != '(':
            return False
        after = self.peek(closing(self.tokens, at + 1))
        return after == '{' or bool(re.match(r'[A-Za-z_]', after))

    def statement(self, at, depth):
        """Reads one statement; gives the index behind it."""
        token = self.peek(at)
        if token == '{':
            at += 1
            while at < len(self.tokens) and self.peek(at) != '}':
                at = self.statement(at, depth)
            return at + 1
        if token == 'do':
            return self.expression(self.controlled(at + 1, depth))
        if token in KEYWORDS or self.is_loop_macro(at):
            at = self.controlled(closing(self.tokens, at + 1), depth)
            return self.otherwise(at, depth) if token == 'if' else at
        if token in ('case', 'default') or self.peek(at + 1) == ':':
            return self.tokens.index(':', at) + 1
        return self.expression(at)

    def otherwise(self, at, depth):
        """`else if` is no deeper than the `if` before it."""
        if self.peek(at) != 'else':
            return at
        if self.peek(at + 1) == 'if':
            return self.statement(at + 1, depth)
        return self.controlled(at + 1, depth)

    def expression(self, at):
        while at < len(self.tokens) and self.tokens[at] not in (';', '}'):
            if self.tokens[at] in '({[':
                at = closing(self.tokens, at)
            else:
                at += 1
        return at + 1 if self.peek(at) == ';' else at


def parameters(signature):
    """(name, number of parameters) from the text before a function's body."""
    tokens = TOKEN.findall(signature)
    if '(' not in tokens:
        return None, 0
    opening = tokens.index('(')
    while tokens[opening - 1] == '__attribute__':
        opening = tokens.index('(', closing(tokens, opening))
    inside = tokens[opening + 1:closing(tokens, opening) - 1]
    if inside in ([], ['void']):
        return tokens[opening - 1], 0
    count, depth = 1, 0
    for token in inside:
        depth += (token in '([') - (token in ')]')
        count += token == ',' and depth == 0
    return tokens[opening - 1], count


def functions(path):
    """Yields (line, name, lines, nesting, parameters) of each function."""
    lines = code(path).split('\n')
    for number, line in enumerate(lines):
        if not line.startswith('{'):
            continue
        first = number
        while first > 0 and re.match(r'[^};]*$', lines[first - 1]) \
                and lines[first - 1].strip():
            first -= 1
        last = number
        while last < len(lines) - 1 and not lines[last].startswith('}'):
            last += 1
        name, count = parameters('\n'.join(lines[first:number]))
        if name is None:
            continue
        body = TOKEN.findall('\n'.join(lines[number:last + 1]))
        yield (first + 1, name, last - first + 1, Nesting(body).deepest, count)


def calls(path, names):
    """Yields (line, name, arguments) of each call of one of names."""
    text = code(path)
    pattern = re.compile(r'(?<![\w.>])(%s)\s*\(' % '|'.join(names))
    for match in pattern.finditer(text):
        depth, end = 0, match.end() - 1
        for end in range(match.end() - 1, len(text)):
            depth += (text[end] == '(') - (text[end] == ')')
            if depth == 0:
                break
        line = text.count('\n', 0, match.start()) + 1
        yield line, match.group(1), ' '.join(text[match.end():end].split())


def main(words):
    if words[:1] == ['code']:
        for path in words[1:]:
            for number, line in enumerate(code(path).split('\n'), 1):
                if line.strip():
                    print(f'{path}:{number}:{line}')
    elif words[:1] == ['calls'] and len(words) > 1:
        for path in words[2:]:
            for line, name, arguments in calls(path, words[1].split(',')):
                print(f'{path}:{line}:{name}:{arguments}')
    elif words[:1] == ['functions']:
        for path in words[1:]:
            for line, name, *numbers in functions(path):
                print(path, line, name, *numbers, sep=':')
    else:
        sys.exit(__doc__)


main(sys.argv[1:])
