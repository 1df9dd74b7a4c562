import type { AnyField } from '../src/field-schema.ts';

/** Values that a field might be given, valid or not, as YAML. */
export const values = [
  'null',
  '""',
  '0',
  '1',
  '-1',
  '6443',
  '65536',
  '2147483648',
  '1.5',
  '1e3',
  'yes',
  'no',
  '"no"',
  'x',
  '"X"',
  '" x "',
  '[]',
  '[x]',
  '[null]',
  '["", y.z]',
  '{}',
  '{x: true}',
  '{x: "1"}',
  '5m',
  '0.5h',
  '"0"',
  '-1h',
  '1d',
  '2026-01-02T03:04:05Z',
  '2026-01-02',
  '10.0.0.0/16',
  '"10.0.0.0/16,fd00::/112"',
  '"10.0.0.0/29"',
  '192.0.2.1',
  '"2001:DB8::1"',
  '"https://a:1"',
  '"unix:///a"',
  '/abs',
  'Always',
  'RSA-2048',
  'abcdef.0123456789abcdef',
  '[{name: a, value: b}]',
  '[{name: ""}]',
  '"*.example.com"',
  '["*.Example.com", "192.0.2.010"]',
  '[{token: abcdef.0123456789abcdef}]',
  '[{usages: [signing]}]',
  '{RootlessControlPlane: false}',
  'v1.36.0',
  'stable',
] as const;

/** All fields of a table that may be set, as paths. */
export function fieldPaths(field: AnyField, path: string): readonly string[] {
  const own = path === '' ? [] : [path];
  if (field.kind !== 'struct') return own;
  return [
    ...own,
    ...Object.entries(field.fields ?? {}).flatMap(([key, row]) =>
      fieldPaths(row, path === '' ? key : `${path}.${key}`),
    ),
  ];
}

/** A flow mapping without its braces that sets one field. */
export function nested(path: string, value: string): string {
  const keys = path.split('.');
  return keys.reduceRight((text, key) => `{${key}: ${text}}`, value).slice(1, -1);
}
