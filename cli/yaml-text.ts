// A text in YAML: its nodes, what its aliases repeat, and the places of both. It expands no alias,
// so a small file cannot become a large one here.

import { type Alias, Composer, type CST, type Document, type ErrorCode, isAlias, Lexer, LineCounter, type Node, Parser, visit } from 'yaml';

import { EXIT_USAGE, Failure } from './command.js';
import { failureAt, type Place } from './text-place.js';

export interface YamlOptions {
  /** The kind of text for errors, such as `a manifest`. */
  what: string;
  /** The largest size allowed; 1 MiB by default. */
  bytesMax?: number;
  /** Whether the documents after the first are ignored; otherwise they are an error. */
  firstOnly?: boolean;
}

const BYTES_MAX = 1024 * 1024;

export class YamlText {
  readonly document: Document;
  readonly #lines = new LineCounter();
  /** The target of each alias. */
  readonly #targets = new Map<Alias, Node | undefined>();

  constructor(
    readonly file: string,
    readonly text: string,
    { what, bytesMax = BYTES_MAX, firstOnly = false }: YamlOptions,
  ) {
    if (text.length > bytesMax) throw new Failure(EXIT_USAGE, `${file}: expected ${what} of at most ${bytesMax / 1024 / 1024} MiB`);
    this.document = this.#parsed(firstOnly);
    const [error] = this.document.errors;
    if (error !== undefined) this.fail(error.pos[0], MESSAGES[error.code] ?? uncapitalized(error.message));
    // All at once: resolving one alias alone walks the whole document.
    const anchors = new Map<string, Node>();
    visit(this.document, {
      Node: (_, node) => {
        if (isAlias(node)) this.#targets.set(node, anchors.get(node.source));
        else if (node.anchor !== undefined) anchors.set(node.anchor, node);
      },
    });
  }

  /** The node that an alias repeats, or the node itself; `undefined` if there is none. */
  resolved(node: unknown): Node | undefined {
    return (isAlias(node) ? this.#targets.get(node) : (node as Node | null)) ?? undefined;
  }

  place(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }

  fail(offset: number, message: string): never {
    throw failureAt(this.file, this.text, this.place(offset), message);
  }

  #parsed(firstOnly: boolean): Document {
    const composer = new Composer({
      // Callers check names where they matter: comparing all takes quadratic time.
      uniqueKeys: false,
      intAsBigInt: true,
      schema: 'core',
    });
    const [document, second] = composer.compose(this.#tokens(), true, this.text.length) as Generator<Document, void>;
    if (second !== undefined && !firstOnly) this.fail(offsetOf(second), 'a second document begins here; write one document in each file');
    return document as Document;
  }

  /** Ends before the reader takes long for deep nesting, or overflows the stack. */
  *#tokens(): Generator<CST.Token, void> {
    const parser = new Parser(this.#lines.addNewLine);
    this.#lines.addNewLine(0);
    for (const lexeme of new Lexer().lex(this.text)) {
      yield* parser.next(lexeme);
      if (parser.stack.length > NESTING_MAX) this.fail(parser.offset, `the nesting is deeper than ${NESTING_MAX} levels`);
    }
    yield* parser.end();
  }
}

/** The deepest nesting of a text; deployment manifests have about 20 levels. */
const NESTING_MAX = 200;

/** The offset of a node. */
export function offsetOf(node: Document | Node | null | undefined): number {
  return node?.range?.[0] ?? 0;
}

/** Errors of which the library does not say what to do. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  BAD_SCALAR_START: 'a text cannot begin with this character; put the text in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second ": " in one line; put a text that contains it in quotes, or begin a new line',
  MULTILINE_IMPLICIT_KEY: 'no ": " in this line; write name: value',
  TAB_AS_INDENT: 'a tab cannot indent a line; use spaces',
};

function uncapitalized(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
