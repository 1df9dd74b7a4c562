/** Whom a server has to prove itself to: the CA of this PEM alone, those that the machine trusts, or nobody. */
export type HttpsTrust = { readonly authority: string } | 'machine' | 'nobody';

export interface HttpsGetOptions {
  readonly trust: HttpsTrust;
  /** Until the last byte of the answer is there. */
  readonly timeoutMs: number;
  /** Of the body; a larger one is not read to its end. */
  readonly maximumBytes: number;
  readonly signal?: AbortSignal;
}

/** An answer, whatever its status, or why there is none. */
export type HttpsResult =
  | { readonly status: number; readonly text: string; readonly location?: string }
  | {
      /**
       * `cut-short`: the connection ended before the answer did. `untrusted`: by the server's certificate. `foreign`: what answers
       * speaks something else than TLS and HTTP, or other versions.
       */
      readonly fault: 'unreachable' | 'untrusted' | 'timeout' | 'too-large' | 'cut-short' | 'foreign';
      /** One clause without a full stop. */
      readonly reason: string;
    };

/**
 * One GET over HTTPS that follows no redirect. `httpsGet` of `@groundplane/host` is one.
 *
 * @throws the signal's reason, or a GroundplaneError if nothing can be asked at all, as through a proxy that is none
 */
export type HttpsGet = (url: string, options: HttpsGetOptions) => Promise<HttpsResult>;

export interface DiscoveryClock {
  now(): Date;
  /** Milliseconds of a clock that never goes back. */
  monotonicMs(): number;
  sleep(ms: number, options?: { readonly signal?: AbortSignal }): Promise<void>;
}

/**
 * Reads objects as a kubeconfig says. The connections of `@groundplane/cluster` are of this shape; what they throw is known
 * by its code, and by `status` and `location` in its details.
 */
export type ConnectCluster = (options: {
  readonly kubeconfig: string;
  readonly timeoutMs: number;
  /** Of one answer; a larger one is not read to its end. */
  readonly maximumBytes: number;
}) => Promise<{
  get(reference: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
  }): Promise<object | undefined>;
}>;

/** Text of a file, undefined if there is none. Relative paths are those of the working directory, as kubeadm has it. */
export type ReadFile = (path: string) => Promise<string | undefined>;
