import semverCompare from 'semver/functions/compare.js';
import semverParse from 'semver/functions/parse.js';

/** Versions that this release knows (kubeadm, constants.go: minimum control plane is minor − 1, kubelet minor − 3). */
export const kubernetesVersions = {
  /** What labels stand for when nothing may be looked up. */
  newest: 'v1.37.2',
  /** What `config print init-defaults` shows: the first release of the minor, without the v. */
  printed: '1.37.0',
  minimumControlPlane: 'v1.36.0',
  minimumKubelet: 'v1.34.0',
} as const;

/** A version asked for: concrete, or a label that only a look-up can resolve. */
export interface RequestedVersion {
  /** `vMAJOR.MINOR.PATCH` with optional pre-release and build, or absent for a label. */
  readonly version?: string;
  /** For instance `stable-1`. */
  readonly label?: string;
  /** True for continuous-integration builds (prefix `ci/`), whose images live elsewhere. */
  readonly ci: boolean;
}

const concrete = /^v?(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:[-\w.+]*)$/;
const prefixed = /^(?:(release|ci)\/)?([-\w.+]+)$/;
const label = /^(?:(?:latest|stable)+(?:-[1-9](?:\.[1-9]\d?)?)?)$/;

/**
 * Reads `kubernetesVersion` (kubeadm, util/version.go): `1.37.2`, `v1.37.2-rc.0+abc`, `release/…`, `ci/…`, or a label
 * such as `stable`, `stable-1`, `latest-1.37`.
 *
 * @returns undefined if the text is neither a version nor a label
 */
export function parseRequestedVersion(text: string): RequestedVersion | undefined {
  const [, bucket, rest = ''] = prefixed.exec(text) ?? [];
  const ci = bucket === 'ci';
  if (concrete.test(rest)) {
    const version = rest.startsWith('v') ? rest : `v${rest}`;
    return semverParse(version) === null ? undefined : { version, ci };
  }
  return label.test(rest) ? { label: rest, ci } : undefined;
}

/** Compares two versions by semantic versioning: negative if the first is older. */
export function compareKubernetesVersions(one: string, other: string): number {
  return semverCompare(one, other);
}

/** A version as an image tag: characters that tags do not allow become `_` (kubeadm, KubernetesVersionToImageTag). */
export function kubernetesVersionToImageTag(version: string): string {
  return version.replaceAll(/[^-\w.]/g, '_');
}
