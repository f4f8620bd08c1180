// ECMA-262's "JSON.parse source text access"; the compiler's library does not know it yet.
interface JsonOfSource {
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  /** Written by JSON.stringify as this text. Throws SyntaxError when it is no JSON, or no primitive. */
  rawJSON(text: string): unknown;
}

const { parse, rawJSON } = JSON as unknown as JsonOfSource;

/**
 * Only numbers such as 12345678901234567890, 1e400, 1.0, 0.0000001 and -0 can differ from what JSON.stringify makes of them; asking
 * for each takes eight times as long as parsing without.
 */
const MAY_DIFFER = /\d{16}|\d[eE]|\.\d*0(?!\d)|\.0{6}|-0/;

/**
 * Parses JSON so that JSON.stringify writes its numbers as they were, digit by digit: it would make 12345678901234567000 of
 * 12345678901234567890 and null of 1e400. Such a number is an object here, not a number. Throws SyntaxError.
 */
export function parseExactly(text: string): unknown {
  return MAY_DIFFER.test(text) ? parse(text, keepNumber) : JSON.parse(text);
}

function keepNumber(_name: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === 'number' && source !== undefined && String(value) !== source
    ? rawJSON(source)
    : value;
}
