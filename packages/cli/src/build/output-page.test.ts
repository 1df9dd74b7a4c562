import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { pageWithSchemas } from './schema-sections.ts';

const page = readFileSync(fileURLToPath(new URL('../../../../docs/output.md', import.meta.url)), 'utf8');

it('docs/output.md says what the schemas say; node packages/cli/src/build/output-page.ts writes it', () => {
  expect(page).toBe(pageWithSchemas(page));
});

it('leads nowhere but to its own headings', () => {
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(([, target = '']) => target);
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter((target) => !headings.includes(target))).toEqual([]);
});
