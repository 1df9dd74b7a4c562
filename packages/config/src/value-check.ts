import type { ApiEndpoint, Arg, NodeRegistration } from './configuration-types.ts';
import type { Problem } from './decode-document.ts';
import type { ArgWithMergeMethod } from './init-configuration-schema.ts';
import { type ValueRule, valueRules } from './value-rules.ts';

/** One value of a document and the rule for it; each value of a list is held to it separately. */
export interface Check<T> {
  readonly path: string;
  readonly rule: ValueRule;
  readonly values: (document: T) => readonly string[];
  /** True if the value belongs in no message. */
  readonly secret?: boolean;
  /** How to mend a value that does not pass, where it tells what was meant. */
  readonly hint?: (value: string) => string | undefined;
}

/** Holds a document to rows of checks. */
export function runChecks<T>(checks: readonly Check<T>[], document: T): readonly Problem[] {
  return checks.flatMap(({ path, rule, values, secret, hint }) =>
    values(document).flatMap((value) => {
      const reason = rule(value);
      if (reason === undefined) return [];
      const help = hint?.(value);
      return [{ path, reason, ...(secret !== true && { value }), ...(help !== undefined && { hint: help }) }];
    }),
  );
}

/** Values that are still empty because a later step detects them are not held to a rule. */
export function given(text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : [text];
}

/** The value of an optional part of a document. */
export function listOf<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

/** Checks of a list of extra arguments (kubeadm, ValidateExtraArgs). */
export function argumentChecks<T>(
  path: string,
  args: (document: T) => readonly Arg[] | undefined,
): readonly Check<T>[] {
  return [
    { path, rule: valueRules.argumentName, values: (document) => (args(document) ?? []).map(({ name }) => name) },
    {
      path,
      rule: valueRules.mergeMethod,
      values: (document) => (args(document) ?? []).flatMap((arg) => given((arg as ArgWithMergeMethod).mergeMethod)),
    },
  ];
}

/** Checks of `nodeRegistration` (kubeadm, ValidateNodeRegistrationOptions). */
export function nodeChecks<T>(of: (document: T) => NodeRegistration): readonly Check<T>[] {
  const path = 'nodeRegistration';
  return [
    { path: `${path}.name`, rule: valueRules.dnsSubdomain, values: (document) => given(of(document).name) },
    { path: `${path}.criSocket`, rule: valueRules.criSocket, values: (document) => given(of(document).criSocket) },
    ...argumentChecks<T>(`${path}.kubeletExtraArgs`, (document) => of(document).kubeletExtraArgs),
    {
      path: `${path}.imagePullPolicy`,
      rule: valueRules.imagePullPolicy,
      values: (document) => [of(document).imagePullPolicy],
    },
  ];
}

/** Checks of an API server's endpoint and of the key for shared certificates (kubeadm, ValidateAPIEndpoint, ValidateCertificateKey). */
export function controlPlaneNodeChecks<T>(
  prefix: string,
  of: (document: T) => { readonly localAPIEndpoint: ApiEndpoint; readonly certificateKey: string } | undefined,
): readonly Check<T>[] {
  return [
    {
      path: `${prefix}localAPIEndpoint.advertiseAddress`,
      rule: valueRules.ipAddress,
      values: (document) => given(of(document)?.localAPIEndpoint.advertiseAddress),
    },
    {
      path: `${prefix}localAPIEndpoint.bindPort`,
      rule: valueRules.port,
      values: (document) => listOf(of(document)?.localAPIEndpoint.bindPort).map(String),
    },
    {
      path: `${prefix}certificateKey`,
      rule: valueRules.certificateKey,
      values: (document) => listOf(of(document)?.certificateKey),
      secret: true,
    },
  ];
}
