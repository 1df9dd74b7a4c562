import type { ClientRequest, IncomingMessage } from 'node:http';

/** Code of the errors that say that the other end speaks, but not as a server of HTTP does. */
export const foreignCode = 'GROUNDPLANE_FOREIGN';

/** Answers of status 1xx before the answer itself; Go's client takes as many. */
const mostInformation = 5;

/**
 * The head of the answer to a request. Whatever becomes of the request, this comes to an end with it: Node.js tells of a change
 * of protocols by an event of its own, and of a connection that it closes by itself by no error.
 *
 * @throws the error of the connection
 */
export function answerOf(request: ClientRequest): Promise<IncomingMessage> {
  let information = 0;
  return new Promise((resolve, reject) => {
    const foreign = (why: string): void => {
      reject(Object.assign(new Error(why), { code: foreignCode }));
      request.destroy();
    };
    request
      .on('response', resolve)
      .on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        foreign(`it changes to another protocol: HTTP status ${statusCode}`);
      })
      .on('information', ({ statusCode }) => {
        information += 1;
        if (information > mostInformation) foreign(`it answers ${statusCode} again and again`);
      })
      .on('error', reject)
      .on('close', () => reject(new Error('the connection ended before an answer came')));
  });
}
