/** One kind of bad input, and what people must be told about it. */
export interface BadInput {
  readonly name: string;
  /** What is in the trees before: nothing but this row's files, or everything that the real kubeadm makes, too. */
  readonly tree?: 'whole';
  /** Contents by path: absolute ones are in the trees, others in the folder of inputs. */
  readonly files?: Readonly<Record<string, InputFile>>;
  /** Shell commands that make what a file cannot say, run as root in the folder of inputs. */
  readonly prepare?: string;
  /** Words before the program's, `setpriv …`. */
  readonly wrapper?: readonly string[];
  /** Command lines; `@` stands for the folder of inputs. */
  readonly commands: readonly string[];
  /** What is wrong: the file, field or flag, and its value. */
  readonly says: readonly RegExp[];
  /** How to mend it. */
  readonly mends: RegExp;
  /** Exit code under `groundplane`; under `kubeadm` it is always 1. */
  readonly code: ExitCode;
}

export type InputFile = string | Uint8Array | { readonly content: string | Uint8Array; readonly mode: number };

/** 2 usage, 3 conflict or refused, 4 unavailable. */
export type ExitCode = 2 | 3 | 4;

/** The configuration that all rows start from; the runtime's socket is not there. */
export const initDocument = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint:
  advertiseAddress: 192.0.2.10
nodeRegistration:
  name: node-a
  criSocket: unix:///run/absent.sock
`;

export const clusterDocument = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
encryptionAlgorithm: ECDSA-P256
`;

export const configuration = `${initDocument}---\n${clusterDocument}`;
