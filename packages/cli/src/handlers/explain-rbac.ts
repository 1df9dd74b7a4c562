import { explain, explainAccess, knownSubjects, subjectForms } from '@groundplane/rbac';
import { cliError } from '../error-codes.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import { printDocument, printText, wantsDocument } from '../render/print-document.ts';
import { answerLines, explanationLines } from '../render/rbac-lines.ts';
import { visibleText } from '../render/shown-text.ts';

/**
 * `rbac explain SUBJECT [VERB RESOURCE]`: what somebody may do in a new cluster, or whether one thing is allowed.
 *
 * @throws GroundplaneError CLI_ARGUMENT_MISSING, RBAC_SUBJECT_UNKNOWN, RBAC_RESOURCE_UNKNOWN, RBAC_QUESTION_INVALID
 */
export async function explainRbac(invocation: Invocation): Promise<void> {
  const [subject, verb, resource] = invocation.words;
  if (subject === undefined) {
    throw cliError('CLI_ARGUMENT_MISSING', 'Cannot explain the rights of nobody as SUBJECT is missing', {
      hint: `Known are ${[...knownSubjects.map((known) => known.subject), ...subjectForms].join(', ')}`,
    });
  }
  const lines = verb === undefined ? explained(subject) : answered(subject, verb, resource);
  if (!wantsDocument(invocation)) printText(invocation.output, lines, visibleText);

  function explained(name: string): readonly string[] {
    refuseFlags();
    const explanation = explain(name);
    if (wantsDocument(invocation)) printDocument(invocation, { ...explanation });
    return explanationLines(explanation);
  }

  function answered(name: string, word: string, type: string | undefined): readonly string[] {
    if (type === undefined) {
      throw cliError('CLI_ARGUMENT_MISSING', `Cannot answer a question as it names a verb and no resource: ${word}`, {
        hint: 'Write TYPE, TYPE/NAME or a path that begins with a slash behind the verb',
      });
    }
    const namespace = textFlag(invocation, 'namespace');
    const subresource = textFlag(invocation, 'subresource');
    const answer = explainAccess(name, {
      verb: word,
      resource: type,
      ...(subresource === undefined ? {} : { subresource }),
      ...(namespace === undefined ? {} : { namespace }),
      allNamespaces: invocation.flags['all-namespaces'] === true,
    });
    for (const note of answer.notes) invocation.output.stderr(`${visibleText(note)}\n`);
    if (wantsDocument(invocation)) printDocument(invocation, { ...answer });
    return answerLines(answer);
  }

  /** They are about a question. */
  function refuseFlags(): void {
    const given = ['all-namespaces', 'namespace', 'subresource'].find((flag) => invocation.flags[flag] !== undefined);
    if (given !== undefined) {
      throw cliError(
        'CLI_ARGUMENT_MISSING',
        `Cannot use --${given} as there is no question: VERB and RESOURCE are missing`,
      );
    }
  }
}
