import { describe, expect, it } from 'vitest';
import { GoTemplateError } from './go-value.ts';
import { parseGoTemplate } from './parse-go-template.ts';
import { printGoTemplate } from './print-go-template.ts';

const data = {
  kind: 'Things',
  count: 2,
  ratio: 1.5,
  large: 1e21,
  small: 1e-7,
  million: 1234567.5,
  ready: true,
  nothing: null,
  empty: '',
  text: "hé\"llo <&> 'x'",
  list: [1, 'two', null, [3, 'x'], { k: 'v' }],
  map: { y: { deep: 'd' }, x: [true], '': 'none', é: 1, Z: 0 },
  words: ['b', 'a'],
  none: [],
  encoded: 'aGVsbG8=',
  'dash-key': 'dashed',
};

function print(template: string, allowMissingKeys = true): string {
  return printGoTemplate(parseGoTemplate(template), data, { allowMissingKeys });
}

/** What is expected was printed by Go's text/template. */
describe('printGoTemplate', () => {
  it.each([
    ['text alone', 'plain', 'plain'],
    ['fields', '{{.kind}} {{.count}} {{.ratio}} {{.ready}} {{.map.y.deep}}', 'Things 2 1.5 true d'],
    ['a list as Go prints it', '{{.list}}', '[1 two <nil> [3 x] map[k:v]]'],
    ['a map as Go prints it, by its keys', '{{.map}}', 'map[:none Z:0 x:[true] y:map[deep:d] é:1]'],
    ['numbers as Go prints them', '{{.large}} {{.small}} {{.million}} {{.count}}', '1e+21 1e-07 1.2345675e+06 2'],
    [
      'null alone and in a text',
      '{{.nothing}} {{print .nothing}} {{range .list}}{{.}};{{end}}',
      '<no value> <nil> 1;two;<no value>;[3 x];map[k:v];',
    ],
    [
      'what is not there',
      '{{.missing}} {{.missing.more}} {{index .map "missing"}}',
      '<no value> <no value> <no value>',
    ],
    ['a key that no field can name', '{{index . "dash-key"}} {{index .map ""}}', 'dashed none'],
    ['a loop', '{{range $i, $word := .words}}{{if $i}}, {{end}}{{$i}}={{$word}}{{end}}', '0=b, 1=a'],
    [
      'a loop over a map',
      '{{range $key, $value := .map}}{{printf "%q" $key}}:{{$value}} {{end}}',
      '"":none "Z":0 "x":[true] "y":map[deep:d] "é":1 ',
    ],
    ['a loop over a number of the data', '{{range $i := .count}}{{$i}}{{end}}', '01'],
    ['a loop over nothing', '{{range .none}}x{{else}}none{{end}} {{range .nothing}}x{{else}}none{{end}}', 'none none'],
    ['a loop that is left', '{{range .list}}{{if eq (printf "%v" .) "two"}}{{break}}{{end}}{{.}}{{end}}', '1'],
    ['a loop that goes on', '{{range .words}}{{if eq . "b"}}{{continue}}{{end}}{{.}}{{end}}', 'a'],
    [
      'conditions',
      '{{if .empty}}a{{else if .count}}b{{end}}{{if .none}}c{{end}}{{if not .ready}}d{{else}}e{{end}}',
      'be',
    ],
    ['with', '{{with .map}}{{.y.deep}}{{$.kind}}{{end}}{{with .nothing}}x{{else with .count}}{{.}}{{end}}', 'dThings2'],
    ['variables', '{{$x := 1}}{{range .words}}{{$x = .}}{{end}}{{$x}}{{$m := .map}}{{$m.y.deep}}', 'ad'],
    [
      'templates of its own',
      '{{define "item"}}<{{.}}>{{end}}{{range .words}}{{template "item" .}}{{end}}{{block "b" .kind}}[{{.}}]{{end}}',
      '<b><a>[Things]',
    ],
    ['trimming', 'a \n {{- .kind -}} \n b {{- /* c */ -}} c', 'aThingsbc'],
    [
      'literals',
      '{{"\\u00e9\\x41\\n"}}{{`\\n`}}{{\'a\'}} {{0x1F}} {{017}} {{1_000}} {{-2.5e-3}} {{1000000.0}} {{true}}',
      'éA\n\\n97 31 15 1000 -0.0025 1e+06 true',
    ],
    [
      'pipelines and parentheses',
      '{{.kind | len | printf "%03d"}} {{(index .list 4).k}} {{len (slice .words 1)}}',
      '006 v 1',
    ],
    [
      'and, or, not',
      '{{and .kind .count}} {{or .missing .empty .kind}} {{not .nothing}} {{and false (index .words 9)}}',
      '2 Things true false',
    ],
    [
      'comparisons',
      '{{eq .count 2}} {{eq .kind "a" "Things"}} {{eq .nothing nil}} {{ne .ratio 1.5}} {{lt .count 3}} {{ge "b" "a"}}',
      'true true true false true true',
    ],
    ['lengths and parts are bytes', '{{len .text}} {{slice .text 0 3}} {{index .text 0}}', '15 hé 104'],
    ['print and println', '{{print 1 2 "a" 3 4}}|{{println .words .count}}', '1 2a3 4|[b a] 2\n'],
    [
      'printf of texts',
      '{{printf "%-8s|%8s|%.2s|%q|%x|%v" .kind .kind .kind .text "hi" .words}}',
      'Things  |  Things|Th|"hé\\"llo <&> \'x\'"|6869|[b a]',
    ],
    [
      'printf of numbers',
      '{{printf "%05d|%+d|%x|%c|%U|%.2f|%8.3f|%e|%g" .count .count 255 65 65 .ratio .ratio .million .million}}',
      '00002|+2|ff|A|U+0041|1.50|   1.500|1.234568e+06|1.2345675e+06',
    ],
    [
      'printf of types and of Go source',
      '{{printf "%T %T %T %T %#v %#v" .count .ratio .list .map .words .nothing}}',
      'int64 float64 []interface {} map[string]interface {} []interface {}{"b", "a"} <nil>',
    ],
    [
      'printf that does not fit',
      '{{printf "%d %s" .kind .count}} {{printf "%d"}} {{printf "x" 1}} {{printf "%[2]v %[1]v" 1 2}}',
      '%!d(string=Things) %!s(int64=2) %!d(MISSING) x%!(EXTRA int=1) 2 1',
    ],
    [
      'escapers',
      '{{html .text}} {{js .text}} {{urlquery .text}} {{html .missing}}',
      "hé&#34;llo &lt;&amp;&gt; &#39;x&#39; hé\\\"llo \\u003C\\u0026\\u003E \\'x\\' h%C3%A9%22llo+%3C%26%3E+%27x%27 &lt;no value&gt;",
    ],
    [
      'what exists',
      '{{exists .map "y" "deep"}} {{exists .map "y" "x"}} {{exists .words 1}} {{exists .words 2}}',
      'true false true false',
    ],
    ['base64', '{{base64decode .encoded}} {{"aGk=" | base64decode}}', 'hello hi'],
  ])('%s', (_, template, text) => {
    expect(print(template)).toBe(text);
  });

  it('refuses keys that are not there where that is wanted', () => {
    expect(print('{{.kind}}', false)).toBe('Things');
    expect(() => print('{{.missing}}', false)).toThrow(
      'template: output:1:2: executing "output" at <.missing>: map has no entry for key "missing"',
    );
  });

  it.each([
    ['{{.kind', 'template: output:1: unclosed action'],
    ['{{if .kind}}x', 'template: output:1: unexpected EOF'],
    ['{{end}}', 'template: output:1: unexpected {{end}}'],
    ['{{nope}}', 'template: output:1: function "nope" not defined'],
    ['{{$x}}', 'template: output:1: undefined variable "$x"'],
    ['{{"x}}', 'template: output:1: unterminated quoted string'],
    ['{{/* x }}', 'template: output:1: unclosed comment'],
    ['{{(.kind}}', 'template: output:1: unclosed left paren'],
    ['{{break}}', 'template: output:1: {{break}} outside {{range}}'],
    ['{{.kind}', `template: output:1: bad character U+007D '}'`],
    ['{{}}', 'template: output:1: missing value for command'],
    ['{{1e400}}', 'template: output:1: illegal number syntax: "1e400"'],
    ['{{.kind\n| 5}}', 'template: output:2: non executable command in pipeline stage 2'],
    ['{{"a".b}}', 'template: output:1: unexpected . after term "\\"a\\""'],
    [
      '{{.kind.x}}',
      `template: output:1:7: executing "output" at <.kind.x>: can't evaluate field x in type interface {}`,
    ],
    [
      '{{.nothing.x}}',
      'template: output:1:10: executing "output" at <.nothing.x>: nil pointer evaluating interface {}.x',
    ],
    [
      '{{index .words 9}}',
      'template: output:1:2: executing "output" at <index .words 9>: error calling index: index out of range: 9',
    ],
    [
      '{{index .map 1}}',
      'template: output:1:2: executing "output" at <index .map 1>: error calling index: value has type int; should be string',
    ],
    [
      '{{eq .count 1.5}}',
      'template: output:1:2: executing "output" at <eq .count 1.5>: error calling eq: incompatible types for comparison: int64 and float64',
    ],
    [
      '{{eq .list .list}}',
      'template: output:1:2: executing "output" at <eq .list .list>: error calling eq: non-comparable type [%!s(int64=1) two <nil> [%!s(int64=3) x] map[k:v]]: []interface {}',
    ],
    [
      '{{lt .ready true}}',
      'template: output:1:2: executing "output" at <lt .ready true>: error calling lt: invalid type for comparison',
    ],
    [
      '{{len .count}}',
      'template: output:1:2: executing "output" at <len .count>: error calling len: len of type int64',
    ],
    [
      '{{slice .map 1}}',
      `template: output:1:2: executing "output" at <slice .map 1>: error calling slice: can't slice item of type map[string]interface {}`,
    ],
    ['{{range .ratio}}{{end}}', `template: output:1:8: executing "output" at <.ratio>: range can't iterate over 1.5`],
    ['{{template "x"}}', 'template: output:1:11: executing "output" at <{{template "x"}}>: template "x" not defined'],
    [
      '{{base64decode "*"}}',
      'template: output:1:2: executing "output" at <base64decode "*">: error calling base64decode: base64 decode failed: illegal base64 data at input byte 0',
    ],
    [
      '{{base64decode .count}}',
      'template: output:1:15: executing "output" at <.count>: wrong type for value; expected string; got int64',
    ],
    ['{{printf 1}}', 'template: output:1:9: executing "output" at <1>: expected string; found 1'],
    ['{{len}}', 'template: output:1:2: executing "output" at <len>: wrong number of args for len: want 1 got 0'],
    ['{{nil}}', 'template: output:1:2: executing "output" at <nil>: nil is not a command'],
    ['{{ - }}', 'template: output:1: illegal number syntax: "-"'],
    ['{{ -{{.kind}}', 'template: output:1: illegal number syntax: "-"'],
    ['{{.kind+}}', `template: output:1: bad character U+002B '+'`],
    ['{{.kind 1}}', 'template: output:1:2: executing "output" at <.kind>: kind is not a method but has arguments'],
    ['{{1 | .kind}}', 'template: output:1:6: executing "output" at <.kind>: kind is not a method but has arguments'],
    [
      '{{define "t"}}{{.x}}{{end}}\n {{template "t" .kind}}',
      `template: output:1:16: executing "t" at <.x>: can't evaluate field x in type string`,
    ],
  ])('refuses %j in the words of Go', (template, message) => {
    expect(() => print(template)).toThrow(new GoTemplateError(message));
  });

  it.each([
    [
      'templates that call themselves',
      '{{define "t"}}{{template "t"}}{{end}}{{template "t"}}',
      'exceeded maximum template depth',
    ],
    ['parentheses', `{{${'('.repeat(100_000)}1${')'.repeat(100_000)}}}`, 'max expression depth exceeded'],
    ['conditions', `${'{{if true}}'.repeat(100_000)}x${'{{end}}'.repeat(100_000)}`, 'exceeds what can be handled'],
    ['what is printed', `{{range 9999999999}}${'x'.repeat(1_000_000)}{{end}}`, 'prints more than'],
  ])('stops at too much: %s', (_, template, message) => {
    expect(() => print(template)).toThrow(message);
  });

  it('prints templates that stand deep in one another', () => {
    expect(print(`${'{{if true}}'.repeat(300)}x${'{{end}}'.repeat(300)}`)).toBe('x');
    expect(
      print(
        '{{define "t"}}{{if .}}{{if true}}{{template "t" slice . 1}}{{end}}{{end}}.{{end}}{{template "t" (printf "%400d" 1)}}',
      ),
    ).toBe('.'.repeat(401));
  });
});
