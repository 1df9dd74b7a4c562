import { readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { type Answer, type Cases, expectAnswer } from './go-answers.ts';

function testdata(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../testdata/go-patches/${name}.json`, import.meta.url), 'utf8'));
}

const { documents, cases } = testdata('cases') as Cases;
const answers = testdata('answers') as Readonly<Record<string, Answer>>;

describe("patches do what kubeadm's libraries make of them", () => {
  test.each(cases.map((row) => [row.name, row] as const))('%s', (name, row) => {
    const answer = answers[name];
    if (answer === undefined)
      throw new Error(`Cannot compare as there is no answer to '${name}': run the program again`);
    expectAnswer(row, answer, documents);
  });
});
