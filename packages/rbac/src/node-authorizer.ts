import type { AccessQuestion, ResourceQuestion } from './access-question.ts';
import type { NodeGraph, NodeRelated } from './node-graph.ts';
import { nodeRules } from './node-rules.ts';
import { ruleAllows } from './rule-allows.ts';

/** What the Node authorizer says to one question. */
export interface NodeDecision {
  /** `depends`: on which objects belong to the node, which is not known here. */
  readonly answer: 'yes' | 'no' | 'depends';
  /** Half a sentence about the node: `reads its own Node alone`. Absent for a plain no. */
  readonly because?: string;
}

type Decide = (context: Context) => NodeDecision;

interface Context {
  readonly node: string;
  readonly question: ResourceQuestion;
  /** Undefined where it is not known what belongs to the node. */
  readonly graph: NodeGraph | undefined;
}

const refused: NodeDecision = { answer: 'no' };
const allowed: NodeDecision = { answer: 'yes' };

function no(because: string): NodeDecision {
  return { answer: 'no', because };
}

function yes(because: string): NodeDecision {
  return { answer: 'yes', because };
}

/** The kinds whose objects the Node authorizer tells apart; `group/resource`. */
const subdivided: Readonly<Record<string, Decide>> = {
  '/secrets': readRelated('secrets', 'a pod on the node uses it'),
  '/configmaps': readRelated('configmaps', 'a pod on the node uses it'),
  '/persistentvolumeclaims': ({ question, ...rest }) =>
    question.subresource === 'status'
      ? ['update', 'patch'].includes(question.verb)
        ? related({ ...rest, question }, 'persistentvolumeclaims', 'a pod on the node uses it')
        : refused
      : getRelated('persistentvolumeclaims', 'a pod on the node uses it')({ ...rest, question }),
  '/persistentvolumes': getRelated('persistentvolumes', 'a pod on the node uses it'),
  'resource.k8s.io/resourceclaims': getRelated('resourceclaims', 'a pod on the node uses it'),
  'storage.k8s.io/volumeattachments': getRelated('volumeattachments', 'it is for the node'),
  '/serviceaccounts': serviceAccount,
  'coordination.k8s.io/leases': lease,
  'storage.k8s.io/csinodes': csiNode,
  'resource.k8s.io/resourceslices': resourceSlice,
  '/nodes': ownNode,
  '/pods': pod,
  'certificates.k8s.io/podcertificaterequests': podCertificateRequest,
};

/**
 * What the Node authorizer of Kubernetes v1.37 with its default feature gates answers to the kubelet of a node. Admission (NodeRestriction)
 * narrows it further for what is written. Source: kubernetes plugin/pkg/auth/authorizer/node/node_authorizer.go.
 *
 * @param node name of the node
 * @param graph what belongs to the node; undefined if that is not known
 */
export function nodeDecision(node: string, question: AccessQuestion, graph: NodeGraph | undefined): NodeDecision {
  const decide = 'path' in question ? undefined : subdivided[`${question.group}/${question.resource}`];
  if (decide !== undefined && !('path' in question)) return decide({ node, question, graph });
  return nodeRules().some(({ rule }) => ruleAllows(rule, question)) ? allowed : refused;
}

function related({ node, question, graph }: Context, kind: NodeRelated, when: string): NodeDecision {
  const { name, namespace = '' } = question;
  if (name === undefined) return no('one object by its name is all that the Node authorizer gives');
  if (graph === undefined) return { answer: 'depends', because: `only if ${when}` };
  return graph.belongs(node, kind, { namespace, name }) ? yes(when) : no(`only if ${when}`);
}

function getRelated(kind: NodeRelated, when: string): Decide {
  return (context) => {
    const { verb, subresource } = context.question;
    return verb === 'get' && subresource === undefined ? related(context, kind, when) : refused;
  };
}

function readRelated(kind: NodeRelated, when: string): Decide {
  return (context) => {
    const { verb, subresource, namespace } = context.question;
    if (!['get', 'list', 'watch'].includes(verb) || subresource !== undefined || namespace === undefined)
      return refused;
    return related(context, kind, when);
  };
}

function serviceAccount(context: Context): NodeDecision {
  const { verb, subresource, name } = context.question;
  const when = 'a pod on the node runs with it';
  if (verb === 'get' && subresource === undefined) return readRelated('serviceaccounts', when)(context);
  return verb === 'create' && subresource === 'token' && name !== undefined
    ? related(context, 'serviceaccounts', when)
    : refused;
}

const ownVerbs = ['get', 'create', 'update', 'patch', 'delete'];

function lease({ node, question: { verb, namespace, name } }: Context): NodeDecision {
  if (!ownVerbs.includes(verb) || namespace !== 'kube-node-lease') return refused;
  return ownObject({ node, verb, name });
}

function csiNode({ node, question: { verb, subresource, name } }: Context): NodeDecision {
  // The status needs the feature gate CSIVolumeHealth, which is off by default.
  return ownVerbs.includes(verb) && subresource === undefined ? ownObject({ node, verb, name }) : refused;
}

/** The name of an object is not known to authorizers when it is created: admission looks at it then. */
function ownObject({ node, verb, name }: { node: string; verb: string; name: string | undefined }): NodeDecision {
  const why = 'the object that has the name of the node, and no other';
  return verb === 'create' || name === node ? yes(why) : no(why);
}

function resourceSlice(context: Context): NodeDecision {
  const { verb, subresource } = context.question;
  if (subresource !== undefined) return refused;
  if (verb === 'create') return yes('admission checks that it names the node');
  if (['get', 'update', 'patch', 'delete'].includes(verb))
    return related(context, 'resourceslices', 'it names the node');
  return ['list', 'watch', 'deletecollection'].includes(verb) ? selected(context) : refused;
}

function podCertificateRequest(context: Context): NodeDecision {
  const { verb, subresource } = context.question;
  if (subresource !== undefined) return refused;
  if (verb === 'create') return yes('admission checks that it is for a pod on the node');
  if (verb === 'get') return related(context, 'podcertificaterequests', 'it names the node');
  return ['list', 'watch'].includes(verb) ? selected(context) : refused;
}

function selected({ node, question: { fieldSelector } }: Context): NodeDecision {
  const why = `with the field selector spec.nodeName=${node}`;
  return fieldSelector?.field === 'spec.nodeName' && fieldSelector.value === node ? yes(why) : no(`only ${why}`);
}

function ownNode({ node, question: { verb, subresource, name } }: Context): NodeDecision {
  if (subresource === undefined && ['get', 'list', 'watch'].includes(verb)) {
    return name === node ? yes('its own Node') : no('only its own Node');
  }
  const writes =
    subresource === undefined ? ['create', 'update', 'patch'] : subresource === 'status' ? ['update', 'patch'] : [];
  return writes.includes(verb) ? yes('admission narrows it to its own Node') : refused;
}

function pod(context: Context): NodeDecision {
  const { verb, subresource, name } = context.question;
  const bound = 'it is bound to the node';
  const narrowed = yes('admission narrows it to pods that are bound to the node');
  switch (subresource) {
    case undefined: {
      if (verb === 'create' || verb === 'delete')
        return yes('admission narrows it to mirror pods, and to pods that are bound to the node');
      if (verb === 'get') return related(context, 'pods', bound);
      if (verb !== 'list' && verb !== 'watch') return refused;
      const bySelector = selected(context);
      return bySelector.answer === 'yes' || name === undefined ? bySelector : related(context, 'pods', bound);
    }
    case 'status':
      return verb === 'update' || verb === 'patch' ? narrowed : refused;
    case 'eviction':
      return verb === 'create' ? narrowed : refused;
    default:
      return refused;
  }
}
