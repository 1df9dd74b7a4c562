import type { CommandRow, FlagRow } from '../arguments/flag-row.ts';
import { objectFlags, outputFlag } from './output-flags.ts';

/** One command below `config`; `shared` names flags of the flag table, which mean the same here. */
interface ConfigCommand {
  readonly words: string;
  readonly summary: string;
  readonly shared?: readonly string[];
  readonly own?: readonly FlagRow[];
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

const defaults = (action: string, own: readonly FlagRow[] = []): ConfigCommand => ({
  words: `config print ${action}-defaults`,
  summary: `Print the default configuration of ${action}; secrets are placeholders`,
  own: [...own, outputFlag],
});

/** kubeadm: cmd/config.go. */
const leaves: readonly ConfigCommand[] = [
  {
    words: 'config images list',
    summary: 'List the images that the control plane needs',
    shared: ['config', 'feature-gates', 'image-repository', 'kubernetes-version'],
    own: objectFlags,
  },
  {
    words: 'config images pull',
    summary: 'Pull the images that the control plane needs',
    shared: ['config', 'cri-socket', 'feature-gates', 'image-repository', 'kubernetes-version'],
    own: [outputFlag],
  },
  {
    words: 'config migrate',
    summary: 'Convert a configuration file to the API version of this release',
    own: [
      { name: 'old-config', type: 'string', summary: 'Configuration file to convert; mandatory' },
      { name: 'new-config', type: 'string', summary: 'File to write the result to; standard output if not given' },
      allowExperimental('Convert'),
      outputFlag,
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
    words: 'config print groundplane-defaults',
    summary: 'Print the default settings that kubeadm does not have, as a document for the same file',
    own: [outputFlag],
  },
  {
    words: 'config validate',
    summary: 'Check a configuration file and name all that is wrong with it',
    shared: ['config'],
    own: [
      { name: 'allow-deprecated-api', type: 'bool', summary: 'Accept deprecated API versions; there are none now' },
      allowExperimental('Accept'),
      outputFlag,
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
    ...leaves.map((leaf): CommandRow => ({ ...row(leaf), kind: 'run' })),
  ];
}
