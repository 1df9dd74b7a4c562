import { judgeKubeletConfiguration } from '@groundplane/config';
import { type Finding, isGroundplaneError } from '@groundplane/errors';
import { kubeletFlagNames, parseKubeadmFlagsEnv, parseKubeletConfig } from '@groundplane/kubelet';
import type { Artifact, Layout } from '@groundplane/phases';
import { kubeletConfigFile, kubeletFlagsFile } from './artifacts.ts';
import { bootstrapFinding } from './error-codes.ts';
import { filePathOf } from './file-path-of.ts';
import { findingsAbout } from './findings-about.ts';
import type { InitContext } from './init-context.ts';
import { kubeletExpectations } from './kubelet-files.ts';
import { kubeletConfigFindings } from './patched-documents.ts';

/** Texts of the files that a kubelet starts with, as far as they are there. */
export interface KubeletFileTexts {
  readonly config: string | undefined;
  readonly flags: string | undefined;
}

/** Whether the files of a kubelet, whoever wrote them, say what later phases rely on. */
export function kubeletFileFindings(
  context: InitContext,
  { config, flags }: KubeletFileTexts,
  layout: Layout,
): readonly Finding[] {
  const about = (artifact: Artifact<string>, findings: readonly Finding[]) =>
    findingsAbout(filePathOf(artifact, layout), findings);
  return [
    ...(config === undefined ? [] : about(kubeletConfigFile, configFindings(config, context))),
    ...(flags === undefined ? [] : about(kubeletFlagsFile, flagFindings(flags))),
  ];
}

/** Without these fields the kubelet cannot read it; whoever starts it may say the rest by its flags. */
const needed = /#(?:apiVersion|kind)$/;

function configFindings(text: string, context: InitContext): readonly Finding[] {
  const expectations = kubeletExpectations(context);
  const configuration = parseKubeletConfig(text);
  return [
    ...kubeletConfigFindings(configuration, { context, expectations }).map((finding) =>
      needed.test(finding.artifact) ? finding : { ...finding, severity: 'warning' as const },
    ),
    ...fieldFindings(configuration),
  ];
}

/** What the kubelet does not read, or does not start with, whoever starts it. */
function fieldFindings(configuration: unknown): readonly Finding[] {
  const { problems, unknownFields } = judgeKubeletConfiguration(configuration);
  const artifact = kubeletConfigFile.id;
  const hint = 'Correct the field, or run the phase kubelet-start';
  return [
    ...problems.map(({ path, reason, value }) =>
      bootstrapFinding({
        code: 'BOOTSTRAP_KUBELET_CONFIG_REFUSED',
        severity: 'error',
        artifact,
        message: `Cannot start a kubelet with this ${path} as ${reason}${value === undefined ? '' : `: ${JSON.stringify(value)}`}`,
        hint,
      }),
    ),
    ...unknownFields.map((path) =>
      bootstrapFinding({
        code: 'BOOTSTRAP_KUBELET_CONFIG_FIELD_UNKNOWN',
        severity: 'warning',
        artifact,
        message: `The kubelet has no such field, and passes over it: ${path}`,
        hint,
      }),
    ),
  ];
}

function flagFindings(text: string): readonly Finding[] {
  try {
    return parseKubeadmFlagsEnv(text)
      .map(({ name }) => name.replaceAll('_', '-'))
      .filter((name) => !kubeletFlagNames.has(name))
      .map((name) =>
        bootstrapFinding({
          code: 'BOOTSTRAP_KUBELET_FLAG_UNKNOWN',
          severity: 'warning',
          artifact: kubeletFlagsFile.id,
          message: `No kubelet of v1.37 starts with a flag that it does not know: --${name}`,
          hint: 'Take the flag out, or run the phase kubelet-start',
        }),
      );
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    const { message, hint } = thrown;
    return [
      bootstrapFinding({
        code: 'BOOTSTRAP_KUBELET_FLAGS_UNREADABLE',
        severity: 'error',
        artifact: kubeletFlagsFile.id,
        message,
        ...(hint === undefined ? {} : { hint }),
      }),
    ];
  }
}
