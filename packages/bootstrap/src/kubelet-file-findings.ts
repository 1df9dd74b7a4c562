import { type Finding, isGroundplaneError } from '@groundplane/errors';
import { parseKubeadmFlagsEnv, parseKubeletConfig } from '@groundplane/kubelet';
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
  return kubeletConfigFindings(parseKubeletConfig(text), { context, expectations }).map((finding) =>
    needed.test(finding.artifact) ? finding : { ...finding, severity: 'warning' },
  );
}

function flagFindings(text: string): readonly Finding[] {
  try {
    parseKubeadmFlagsEnv(text);
    return [];
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
