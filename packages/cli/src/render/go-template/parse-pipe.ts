import { goQuote } from '../../arguments/go-quote.ts';
import { characterConstant, numberLiteral, unquoted } from './go-literal.ts';
import type { GoInteger } from './go-value.ts';
import { isTemplateFunction } from './template-functions.ts';
import type { Command, Operand, Pipe } from './template-node.ts';
import type { TemplateReader } from './template-reader.ts';
import type { TokenType } from './template-tokens.ts';

/** Parentheses in one another; deeper ones are a mistake, or mean harm. */
const maximumDepth = 500;

/** What cannot be given the value of the command before it. */
const constants: readonly Operand['type'][] = ['literal', 'nil', 'dot'];

/**
 * Parses a pipeline and passes its end: declarations of variables, and commands.
 *
 * @throws GoTemplateError
 */
export function parsePipe(reader: TemplateReader, context: string, end: TokenType = 'close'): Pipe {
  reader.skipSpace();
  const { at } = reader.peek();
  const { variables, assigns } = declarations(reader, context);
  const commands: Command[] = [];
  for (reader.skipSpace(); reader.peek().type !== end; reader.skipSpace()) commands.push(command(reader, context));
  const place = reader.placeFrom(at);
  reader.next();
  if (commands.length === 0) throw reader.wrong(`missing value for ${context}`);
  const stage = commands.findIndex(({ operands: [first] }, index) => index > 0 && constants.includes(first.type));
  if (stage > 0) throw reader.wrong(`non executable command in pipeline stage ${stage + 1}`);
  return { type: 'pipe', variables, assigns, commands, ...place };
}

function declarations(reader: TemplateReader, context: string): Pick<Pipe, 'variables' | 'assigns'> {
  const variables: string[] = [];
  for (;;) {
    const token = reader.peek();
    if (token.type !== 'variable') return { variables, assigns: false };
    const sign = reader.peek(reader.peek(1).type === 'space' ? 2 : 1);
    const isComma = sign.type === 'sign' && sign.value === ',';
    const isLast = sign.type === 'declare' || sign.type === 'assign';
    if (!isComma && !isLast) return { variables, assigns: false };
    reader.next();
    reader.nextWord();
    variables.push(token.value);
    reader.scope.variables.push(token.value);
    if (isLast) return { variables, assigns: sign.type === 'assign' };
    if (context !== 'range' || variables.length > 1) throw reader.wrong(`too many declarations in ${context}`);
    reader.skipSpace();
    if (!['variable', 'close', 'right'].includes(reader.peek().type)) {
      throw reader.wrong('range can only initialize variables');
    }
  }
}

function command(reader: TemplateReader, context: string): Command {
  const { at } = reader.peek();
  const first = operand(reader);
  if (first === undefined) throw reader.unexpected(reader.next(), context);
  const operands: [Operand, ...Operand[]] = [first];
  let place = reader.placeFrom(at);
  for (;;) {
    const { type } = reader.peek();
    if (type === 'close' || type === 'right') break;
    const token = reader.next();
    if (type === 'pipe') break;
    if (type !== 'space') throw reader.unexpected(token, 'operand');
    const more = operand(reader);
    if (more === undefined) continue;
    operands.push(more);
    place = reader.placeFrom(at);
  }
  return { operands, ...place };
}

/** A term and the fields that are taken from it. */
function operand(reader: TemplateReader): Operand | undefined {
  const found = term(reader);
  const { type, at } = reader.peek();
  if (found === undefined || type !== 'field') return found;
  const fields: string[] = [];
  while (reader.peek().type === 'field') fields.push(reader.next().value.slice(1));
  if (found.type === 'literal' || found.type === 'nil' || found.type === 'dot') {
    throw reader.wrong(`unexpected . after term ${goQuote(found.source)}`);
  }
  const { source } = reader.placeFrom(found.at);
  if (found.type === 'field' || found.type === 'variable') {
    return { ...found, fields: [...found.fields, ...fields], at, source };
  }
  return { type: 'chain', operand: found, fields, at, source };
}

function term(reader: TemplateReader): Operand | undefined {
  reader.skipSpace();
  const token = reader.peek();
  const { value: source, at } = token;
  const read = readers[token.type];
  if (read !== undefined) {
    return { type: 'literal', value: reader.literal(reader.next(), read), at, source };
  }
  switch (token.type) {
    case 'identifier':
      reader.next();
      if (!isTemplateFunction(source)) throw reader.wrong(`function ${goQuote(source)} not defined`);
      return { type: 'function', name: source, at, source };
    case 'dot':
    case 'nil':
      reader.next();
      return { type: token.type, at, source };
    case 'variable':
      reader.next();
      if (!reader.scope.variables.includes(source)) throw reader.wrong(`undefined variable ${goQuote(source)}`);
      return { type: 'variable', name: source, fields: [], at, source };
    case 'field':
      reader.next();
      return { type: 'field', fields: [source.slice(1)], at, source };
    case 'left': {
      reader.next();
      if (reader.depth >= maximumDepth) throw reader.wrong('max expression depth exceeded');
      reader.depth += 1;
      const pipe = parsePipe(reader, 'parenthesized pipeline', 'right');
      reader.depth -= 1;
      return pipe;
    }
    default:
      return undefined;
  }
}

const readers: Partial<Record<TokenType, (literal: string) => string | boolean | number | GoInteger>> = {
  boolean: (literal) => literal === 'true',
  character: characterConstant,
  number: numberLiteral,
  string: unquoted,
};
