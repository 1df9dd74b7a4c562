import { describe, expect, it } from 'vitest';
import { faultOfAnswer, faultOfConnection, isUnknownPath } from './api-fault.ts';

const status = (code: number, more: object = {}): { status: number; text: string } => ({
  status: code,
  text: JSON.stringify({ kind: 'Status', apiVersion: 'v1', code, message: 'the message', ...more }),
});

describe('faultOfAnswer', () => {
  it.each([
    { name: 'bad request', answer: status(400), code: 'CLUSTER_INVALID', passing: false },
    { name: 'no valid credentials', answer: status(401), code: 'CLUSTER_UNAUTHORIZED', passing: false },
    { name: 'forbidden', answer: status(403), code: 'CLUSTER_FORBIDDEN', passing: 'readiness' },
    {
      name: 'a role that is not there yet',
      answer: status(403, {
        message:
          'forbidden: User "a" cannot get: RBAC: clusterrole.rbac.authorization.k8s.io "cluster-admin" not found',
      }),
      code: 'CLUSTER_FORBIDDEN',
      passing: true,
    },
    {
      name: 'no such object',
      answer: status(404, { details: { name: 'a', kind: 'configmaps' } }),
      code: 'CLUSTER_NOT_FOUND',
      passing: false,
    },
    {
      name: 'a namespace that is not there yet',
      answer: status(404, { details: { name: 'a', kind: 'namespaces' } }),
      code: 'CLUSTER_NOT_FOUND',
      passing: true,
    },
    {
      name: 'already there',
      answer: status(409, { reason: 'AlreadyExists' }),
      code: 'CLUSTER_ALREADY_EXISTS',
      passing: false,
    },
    {
      name: 'changed meanwhile',
      answer: status(409, { reason: 'Conflict' }),
      code: 'CLUSTER_CONFLICT',
      passing: false,
    },
    { name: 'unprocessable', answer: status(422, { reason: 'Invalid' }), code: 'CLUSTER_INVALID', passing: false },
    { name: 'unsupported media type', answer: status(415), code: 'CLUSTER_INVALID', passing: false },
    { name: 'too many requests', answer: status(429), code: 'CLUSTER_UNAVAILABLE', passing: true },
    { name: 'internal error', answer: status(500), code: 'CLUSTER_UNAVAILABLE', passing: true },
    { name: 'not implemented', answer: status(501), code: 'CLUSTER_INVALID', passing: false },
    {
      name: 'bad gateway, from a load balancer',
      answer: { status: 502, text: '<html>502</html>' },
      code: 'CLUSTER_UNAVAILABLE',
      passing: true,
    },
    { name: 'service unavailable', answer: status(503), code: 'CLUSTER_UNAVAILABLE', passing: true },
    { name: 'gateway timeout', answer: { status: 504, text: '' }, code: 'CLUSTER_UNAVAILABLE', passing: true },
    { name: 'a redirect', answer: { status: 302, text: '' }, code: 'CLUSTER_REDIRECTED', passing: false },
    { name: 'no content', answer: { status: 204, text: '' }, code: 'CLUSTER_ANSWER_INVALID', passing: false },
    { name: 'a part', answer: { status: 206, text: '{}' }, code: 'CLUSTER_ANSWER_INVALID', passing: false },
    {
      name: 'an HTTP status of one switch',
      answer: { status: 101, text: '' },
      code: 'CLUSTER_ANSWER_INVALID',
      passing: false,
    },
  ])('$name', ({ answer, code, passing }) => {
    expect(faultOfAnswer(answer)).toMatchObject({ code, passing, status: answer.status });
  });

  it('tells the message of a Status, else the body, else the status', () => {
    expect(faultOfAnswer(status(500)).message).toBe('the message');
    expect(faultOfAnswer({ status: 502, text: ' <html>Bad Gateway</html>\n' }).message).toBe(
      '<html>Bad Gateway</html>',
    );
    expect(faultOfAnswer({ status: 504, text: '' }).message).toBe('HTTP status 504');
  });
});

describe('faultOfConnection', () => {
  const failed = (code: string): Error => Object.assign(new Error(`failed ${code}`), { code });

  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EPROTO',
  ])('%s passes', (code) => {
    expect(faultOfConnection(failed(code))).toEqual({
      code: 'CLUSTER_UNAVAILABLE',
      passing: true,
      message: `failed ${code}`,
    });
  });

  it.each([
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])('%s does not', (code) => {
    expect(faultOfConnection(failed(code))).toMatchObject({ code: 'CLUSTER_UNTRUSTED', passing: false });
  });
});

it('tells an unknown path from an absent object', () => {
  expect(isUnknownPath({ status: 404, text: '404 page not found' })).toBe(true);
  expect(isUnknownPath(status(404, { message: 'the server could not find the requested resource', details: {} }))).toBe(
    true,
  );
  expect(isUnknownPath(status(404, { details: { name: 'a', kind: 'configmaps' } }))).toBe(false);
  expect(isUnknownPath(status(403))).toBe(false);
});
