import type { Finding } from '@groundplane/errors';
import type { KnownNeed } from './certificate-need.ts';
import { bootstrapFinding } from './error-codes.ts';
import { type Answer, nameOfAnswer } from './read-answers.ts';

/** Why an answer is not taken, or how it is unusual, where that is not in its contents. */

export function unknown(answer: Answer, needs: readonly KnownNeed[]): Finding {
  const { subject } = answer.description;
  const namesake = needs.find(
    ({ request }) =>
      request?.subject.commonName === subject.commonName &&
      request.subject.organizations.every((name) => subject.organizations.includes(name)),
  );
  const also =
    namesake === undefined ? '' : `; it has the subject of ${namesake.name}, whose key is ${namesake.keyPlace}`;
  return bootstrapFinding({
    code: 'BOOTSTRAP_ANSWER_UNKNOWN',
    severity: 'error',
    artifact: namesake?.place ?? answer.file.name,
    message: `Cannot take the certificate ${nameOfAnswer(answer)} as it is for another key than those that wait here${also}`,
    hint: 'Have the requests of this node signed: groundplane certs requests',
  });
}

export function occupied({ name, place, state, keyPlace }: KnownNeed, isSame: boolean): Finding {
  const why =
    state === 'valid'
      ? 'another valid one is in place'
      : isSame
        ? 'it is in place already, and does not verify there'
        : 'what is in place does not verify, and is not written over';
  return bootstrapFinding({
    code: 'BOOTSTRAP_ANSWER_IN_PLACE',
    severity: 'error',
    artifact: place,
    message: `Cannot take the certificate for ${name} as ${why}: ${place}`,
    hint: `To take this one in its place, move ${place} away${keyPlace === place ? ', have the key that is in it signed,' : ''} and import it again`,
  });
}

export function superfluous({ name, place }: KnownNeed, answer: Answer): Finding {
  return bootstrapFinding({
    code: 'BOOTSTRAP_ANSWER_SUPERFLUOUS',
    severity: 'warning',
    artifact: place,
    message: `Of several certificates for ${name} the one that is valid longest was taken, not that of ${answer.file.name}`,
  });
}

export function misnamed(need: KnownNeed, { file }: Answer, needs: readonly KnownNeed[]): readonly Finding[] {
  const base = file.name.slice(file.name.lastIndexOf('/') + 1).replace(/\.(crt|pem|cer|der|p7b|p7c|p7)$/, '');
  if (base === need.name || !needs.some(({ name }) => name === base)) return [];
  const message = `${file.name} holds the certificate for ${need.name}, by its key and its contents, and was taken for that`;
  return [bootstrapFinding({ code: 'BOOTSTRAP_ANSWER_MISNAMED', severity: 'warning', artifact: need.place, message })];
}

export function unused(answer: Answer): Finding {
  return bootstrapFinding({
    code: 'BOOTSTRAP_ANSWER_UNTRUSTED',
    severity: 'warning',
    artifact: answer.file.name,
    message: `The CA certificate ${nameOfAnswer(answer)} was not taken as it leads to no CA of this node, and nothing says which of them it is`,
    hint: 'If the cluster is to trust it, say as what: --authority ca=FILE, front-proxy-ca=FILE or etcd-ca=FILE',
  });
}
