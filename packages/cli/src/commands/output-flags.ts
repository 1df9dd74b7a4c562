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

/** Flags of commands whose output is an object of kubeadm's output API (k8s.io/cli-runtime, genericclioptions). */
export const objectFlags: readonly FlagRow[] = [
  {
    name: 'allow-missing-template-keys',
    type: 'bool',
    summary: 'Print nothing for a field that a jsonpath template names and that is not there; =false makes it an error',
  },
  objectOutputFlag,
  {
    name: 'show-managed-fields',
    type: 'bool',
    summary: 'Keep managedFields in structured output; what is printed here has none',
  },
];
