export interface JoinCommandFacts {
  /** What is run; the invoked name. @default 'kubeadm' */
  readonly program?: string;
  /** URL of the API server, or `host:port`. */
  readonly server: string;
  /** `id.secret` */
  readonly token: string;
  /** Pins of all certificates of the CA. */
  readonly caCertHashes: readonly string[];
  /** The command that joins a control-plane node. @default false */
  readonly controlPlane?: boolean;
  /** Key of the shared certificates, hexadecimal; counts for a control-plane node. */
  readonly certificateKey?: string;
}

export interface JoinCommandForm {
  /** On one line, as `token create --print-join-command` prints it; otherwise an argument group on each line. @default false */
  readonly oneLine?: boolean;
  /** Say `<value withheld>` in place of the token. @default false */
  readonly withholdToken?: boolean;
  /** The same for the certificate key. @default false */
  readonly withholdCertificateKey?: boolean;
}

const withheld = '<value withheld>';

/**
 * The command that joins a node, with kubeadm's text and its blanks at the ends of lines (kubeadm: cmd/util/join.go). Holds
 * secrets unless they are withheld. No line end at the end.
 */
export function joinCommand(facts: JoinCommandFacts, form: JoinCommandForm = {}): string {
  const { program = 'kubeadm', server, token, caCertHashes, controlPlane = false, certificateKey = '' } = facts;
  const pins = caCertHashes.map((pin) => `--discovery-token-ca-cert-hash ${pin} `).join('');
  const key =
    certificateKey === '' ? '' : `--certificate-key ${form.withholdCertificateKey ? withheld : certificateKey}`;
  const groups = [
    `${program} join ${hostPortOf(server)} --token ${form.withholdToken ? withheld : token} `,
    pins,
    ...(controlPlane ? [`--control-plane ${key}`] : []),
  ];
  return groups.join(form.oneLine ? '' : '\\\n\t');
}

function hostPortOf(server: string): string {
  return server.replaceAll('https://', '');
}
