import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Every line of every private key below a folder, those in kubeconfigs too, and of these also the base64 they stand there in: whole, and in pieces
 * beyond what all keys begin with.
 */
export function secretsBelow(folder: string): readonly string[] {
  const texts = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const embedded = texts.flatMap((text) => [...text.matchAll(/client-key-data: (\S+)/g)].map(([, data = '']) => data));
  const keys = [...texts, ...embedded.map((data) => Buffer.from(data, 'base64').toString())].filter((text) =>
    text.includes('PRIVATE KEY'),
  );
  return [
    ...keys.flatMap((text) => text.split('\n').filter((line) => line.length >= 20 && !line.startsWith('---'))),
    ...embedded.flatMap((data) => [data, ...(data.slice(60).match(/.{24}/g) ?? [])]),
  ];
}
