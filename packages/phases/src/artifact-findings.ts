import type { Finding } from '@groundplane/errors';
import type { Artifact } from './artifact.ts';
import { octal } from './artifact-mode.ts';
import { engineFindings } from './error-codes.ts';
import type { Leftover, SigningRequest } from './ports.ts';
import type { Loaded } from './world.ts';

/** A secret that does not say otherwise may be read by its owner alone. */
const secretMaxMode = 0o600;

/** The permission bits that the file or directory has beyond those that its artifact allows. */
export function excessMode(artifact: Artifact<unknown>, loaded: Loaded): number {
  if (loaded.state !== 'present' && loaded.state !== 'malformed') return 0;
  const maximum = maxModeOf(artifact);
  return loaded.status === undefined || maximum === undefined ? 0 : loaded.status.mode & ~maximum;
}

/** The most permissive mode of the artifact; undefined if any will do. */
export function maxModeOf(artifact: Artifact<unknown>): number | undefined {
  return artifact.maxMode ?? (artifact.secret ? (artifact.mode ?? secretMaxMode) : undefined);
}

/** @param maker command of the phase that makes it, `init phase certs ca`; undefined if it comes from outside */
export function missingFinding(artifact: Artifact<unknown>, place: string, maker: string | undefined): Finding {
  const supply = `ut a ${artifact.format.name} there`;
  return {
    code: engineFindings.missing,
    severity: 'error',
    artifact: place,
    message: `${place} is needed and does not exist: ${artifact.description}`,
    hint: maker === undefined ? `P${supply}` : `Run the phase that makes it, '${maker}', or p${supply}`,
  };
}

export function malformedFinding(artifact: Artifact<unknown>, reason: string, place: string): Finding {
  return {
    code: engineFindings.malformed,
    severity: 'error',
    artifact: place,
    message: `${place} is not a ${artifact.format.name}: ${reason}`,
    hint: 'Mend it, or move it away so that it is made anew',
  };
}

/** How many things that could not be removed are named. */
const namedLeftovers = 5;

/** @param leftovers at least one */
export function leftoverFinding(place: string, leftovers: readonly Leftover[]): Finding {
  const named = leftovers
    .slice(0, namedLeftovers)
    .map(({ path, reason }) => (reason.includes(path) ? reason : `Cannot remove ${path} as ${reason}`));
  const more = leftovers.length - named.length;
  return {
    code: engineFindings.leftover,
    severity: 'error',
    artifact: place,
    message: [...named, ...(more > 0 ? [`and ${more} more in ${place}`] : [])].join('; '),
    hint: `See what is left: find ${place} -xdev`,
  };
}

/** @param reason may be a sentence of its own, which names the place already */
export function unreadableFinding(place: string, reason: string, hint?: string): Finding {
  return {
    code: engineFindings.unreadable,
    severity: 'error',
    artifact: place,
    message: reason.includes(place) ? reason : `${place} cannot be read: ${reason}`,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** What is to be said about mode and owner. Warnings only, as whoever opened a file or gave it away may have meant it. */
export function statusFindings(artifact: Artifact<unknown>, loaded: Loaded, place: string): readonly Finding[] {
  return [...modeFindings(artifact, loaded, place), ...ownerFindings(artifact, loaded, place)];
}

function ownerFindings(artifact: Artifact<unknown>, loaded: Loaded, place: string): readonly Finding[] {
  if ((loaded.state !== 'present' && loaded.state !== 'malformed') || loaded.foreignOwner === undefined) return [];
  const may = artifact.secret ? 'read and change it' : 'change it';
  return [
    {
      code: engineFindings.owner,
      severity: 'warning',
      artifact: place,
      message: `${place} belongs to somebody else than root, who may ${may}: user id ${loaded.foreignOwner}`,
      hint: `chown root:root ${place}`,
    },
  ];
}

/** Nothing if the mode is within bounds. */
function modeFindings(artifact: Artifact<unknown>, loaded: Loaded, place: string): readonly Finding[] {
  if (excessMode(artifact, loaded) === 0 || (loaded.state !== 'present' && loaded.state !== 'malformed')) return [];
  const mode = octal(loaded.status?.mode ?? 0);
  const wanted = octal(maxModeOf(artifact) ?? 0);
  // Set-user-id, set-group-id and sticky open it to nobody.
  const isSpecial = (excessMode(artifact, loaded) & 0o777) === 0;
  return [
    {
      code: artifact.secret ? engineFindings.exposed : engineFindings.mode,
      severity: 'warning',
      artifact: place,
      message: `${place} ${isSpecial ? 'has bits that no file of this kind needs' : 'is open to more users than it may be'}: mode ${mode}, at most ${wanted}`,
      hint: `chmod ${octal(artifact.mode ?? maxModeOf(artifact) ?? 0)} ${place}`,
    },
  ];
}

/** @param missing places of the inputs that are going to be made anew */
export function strandedFinding(place: string, missing: readonly string[]): Finding {
  return {
    code: engineFindings.stranded,
    severity: 'error',
    artifact: place,
    message: `${place} exists, but what it was made from does not: ${missing.join(', ')}`,
    hint: `Put ${missing.join(', ')} back, or move ${place} away so that it is made anew`,
  };
}

/** @param expected.places where the answer of the external CA is expected; `signer`: who is asked for certificates, if it is somebody else */
export function externalFinding(
  request: SigningRequest,
  { places, signer }: { readonly places: readonly string[]; readonly signer: string | undefined },
): Finding {
  const { certificate } = request;
  const issuer = certificate?.issuer === 'self' ? undefined : certificate?.issuer;
  const { keyPlace, remedy } = issuer ?? {};
  const names = [...(certificate?.dnsNames ?? []), ...(certificate?.ipAddresses ?? [])];
  const facts = [
    `CN=${certificate?.commonName ?? ''}`,
    ...(certificate?.organizations.map((organization) => `O=${organization}`) ?? []),
    ...(certificate?.usages ?? []),
    ...(names.length > 0 ? [`SANs ${names.join(', ')}`] : []),
  ];
  const place = places.join(' and ');
  const wanted = facts.join('; ');
  const common = { code: engineFindings.external, severity: 'error', artifact: request.name } as const;
  if (signer !== undefined)
    return certificate?.issuer === 'self'
      ? {
          ...common,
          message: `${request.name} is missing and the signer '${signer}' makes no CA: wanted ${wanted}`,
          hint: `Put the certificate of the CA that it signs with at ${place}; the key stays where it is`,
        }
      : {
          ...common,
          message: `${request.name} is missing and the signer '${signer}' does not sign it: wanted ${wanted}`,
          hint: `Have it signed elsewhere and put it at ${place}, or have the signer sign it`,
        };
  return {
    ...common,
    message: `${request.name} is missing and the key of its CA${keyPlace === undefined ? '' : `, ${keyPlace},`} is not on this node: wanted ${wanted}`,
    hint: `Have your CA issue it and put it at ${place}${remedy === undefined ? '' : `: ${remedy}`}`,
  };
}
