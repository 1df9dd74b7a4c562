import type { FlagRow } from '../arguments/flag-row.ts';

/** Ways to get at results that all of our reporting commands share. */
export const outputFlag: FlagRow = {
  name: 'output',
  short: 'o',
  type: 'string',
  choices: ['text', 'json', 'jsonl'],
  default: 'text',
  summary: 'How to print: text, json (one document at the end) or jsonl (one event a line)',
};

/** Commands whose output is an object of kubeadm's output API. No choices: an unknown format is refused in kubeadm's words. */
export const objectOutputFlag: FlagRow = {
  name: 'output',
  short: 'o',
  type: 'string',
  default: 'text',
  summary:
    'How to print: text, json, jsonl, yaml, kyaml, jsonpath=TEMPLATE, jsonpath-as-json=TEMPLATE or jsonpath-file=FILE',
};
