import type { CommandRow, FlagRow } from '../arguments/flag-row.ts';
import { objectOutputFlag, outputFlag } from './output-flags.ts';

/** One command below `config`; `shared` names flags of the flag table, which mean the same here. */
interface ConfigCommand {
  readonly words: string;
  readonly summary: string;
  readonly shared?: readonly string[];
  readonly own?: readonly FlagRow[];
}

/** A parent below `config`, or a command that runs: those have `-o`. */
interface Leaf extends ConfigCommand {
  readonly output: FlagRow;
}

const groups: readonly ConfigCommand[] = [
  { words: 'config', summary: 'Print, check and convert configuration files' },
  { words: 'config images', summary: 'List or pull the images of the control plane' },
  { words: 'config print', summary: 'Print the default configuration of a command' },
];

const allowExperimental = (verb: string): FlagRow => ({
  name: 'allow-experimental-api',
  type: 'bool',
  summary: `${verb} documents of API versions that are not released yet`,
});

const defaults = (action: string, own: readonly FlagRow[] = []): Leaf => ({
  words: `config print ${action}-defaults`,
  summary: `Print the default configuration of ${action}; secrets are placeholders`,
  output: outputFlag,
  own,
});

/** kubeadm: cmd/config.go. */
const leaves: readonly Leaf[] = [
  {
    words: 'config images list',
    summary: 'List the images that the control plane needs',
    shared: ['config', 'feature-gates', 'image-repository', 'kubernetes-version'],
    output: objectOutputFlag,
    own: [
      {
        name: 'allow-missing-template-keys',
        type: 'bool',
        summary:
          'Print nothing for a field that a jsonpath template names and that is not there; =false makes it an error',
      },
      {
        name: 'show-managed-fields',
        type: 'bool',
        summary: 'Keep managedFields in structured output; what is printed here has none',
      },
    ],
  },
  {
    words: 'config images pull',
    summary: 'Pull the images that the control plane needs',
    shared: ['config', 'cri-socket', 'feature-gates', 'image-repository', 'kubernetes-version'],
    output: outputFlag,
  },
  {
    words: 'config migrate',
    summary: 'Convert a configuration file to the API version of this release',
    output: outputFlag,
    own: [
      { name: 'old-config', type: 'string', summary: 'Configuration file to convert; mandatory' },
      { name: 'new-config', type: 'string', summary: 'File to write the result to; standard output if not given' },
      allowExperimental('Convert'),
    ],
  },
  defaults('init', [
    {
      name: 'component-configs',
      type: 'strings',
      summary: 'Print the defaults of these, too, separated by commas: KubeProxyConfiguration, KubeletConfiguration',
    },
  ]),
  defaults('join'),
  defaults('reset'),
  defaults('upgrade'),
  {
    words: 'config validate',
    summary: 'Check a configuration file and name all that is wrong with it',
    shared: ['config'],
    output: outputFlag,
    own: [
      { name: 'allow-deprecated-api', type: 'bool', summary: 'Accept deprecated API versions; there are none now' },
      allowExperimental('Accept'),
    ],
  },
];

/**
 * The commands below `config`.
 *
 * @param flags rows of the flag table, of which some mean the same here
 */
export function configCommands(flags: readonly FlagRow[]): readonly CommandRow[] {
  // kubeadm's `--kubeconfig` is a flag of all of them, and none looks at it.
  const kubeconfig: FlagRow = {
    name: 'kubeconfig',
    type: 'string',
    default: '/etc/kubernetes/admin.conf',
    summary: 'Accepted by all commands below config; none of them needs a cluster',
  };
  const row = ({ words, summary, shared = [], own = [] }: ConfigCommand) => ({
    path: words.split(' '),
    summary,
    flags: [...flags.filter(({ name }) => shared.includes(name)), ...own, kubeconfig],
  });
  return [
    ...groups.map((group): CommandRow => ({ ...row(group), kind: 'group' })),
    ...leaves.map(
      (leaf): CommandRow => ({ ...row({ ...leaf, own: [...(leaf.own ?? []), leaf.output] }), kind: 'run' }),
    ),
  ];
}
