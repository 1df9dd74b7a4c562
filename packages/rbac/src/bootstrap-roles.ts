import type { BootstrapRole, RuleRow, SubjectRow, Without } from './bootstrap-role.ts';

const joiningNodes: SubjectRow = { kind: 'Group', name: 'system:bootstrappers:kubeadm:default-node-token' };
const nodes: SubjectRow = { kind: 'Group', name: 'system:nodes' };
const kubeSystem = 'kube-system';
const tlsBootstrapFile = 'phases/bootstraptoken/node/tlsbootstrap.go';
const proxyFile = 'phases/addons/proxy/proxy.go';

interface NamedObject {
  readonly resource: 'configmaps' | 'secrets';
  readonly name: string;
  readonly reason: string;
}

function getByName({ resource, name, reason }: NamedObject, without: Without): readonly RuleRow[] {
  return [{ verbs: ['get'], apiGroups: [''], resources: [resource], resourceNames: [name], reason, without }];
}

/**
 * Every RBAC object of bootstrap, in the order in which it is written.
 * Source: kubeadm's phases/bootstraptoken, uploadconfig, kubelet, copycerts, addons and kubeconfig.
 */
export const bootstrapRoles: readonly BootstrapRole[] = [
  {
    name: 'kubeadm:cluster-admins',
    writtenBy: 'admin-access',
    clusterRole: 'cluster-admin',
    subjects: [{ kind: 'Group', name: 'kubeadm:cluster-admins' }],
    reason: 'admin.conf gets its rights by this binding and not by system:masters, so that they can be taken away',
    neededBy: [
      { step: 'init: every phase after admin-access', does: 'writes to the cluster with admin.conf' },
      { step: 'token create, upgrade, certs', does: 'read and write cluster objects with admin.conf' },
    ],
    kubeadmFile: 'phases/kubeconfig/kubeconfig.go',
    without: {
      fails: 'token create',
      shows: 'everything that admin.conf asks for is forbidden to the user kubernetes-admin',
    },
  },
  {
    name: 'kubeadm:nodes-kubeadm-config',
    namespace: kubeSystem,
    writtenBy: 'upload-config/kubeadm',
    rules: getByName(
      { resource: 'configmaps', name: 'kubeadm-config', reason: 'It holds the configuration of the cluster' },
      {
        fails: 'join: configuration of the cluster',
        shows: 'the ConfigMap kubeadm-config is forbidden to the token, before anything is written on the node',
      },
    ),
    subjects: [joiningNodes, nodes],
    reason: 'Joining nodes set themselves up by the configuration of the cluster, and nodes read it again on upgrade',
    neededBy: [
      { step: 'join: configuration of the cluster', does: 'reads it with the token' },
      { step: 'upgrade node', does: 'reads it with kubelet.conf' },
    ],
    kubeadmFile: 'phases/uploadconfig/uploadconfig.go',
  },
  {
    name: 'kubeadm:kubelet-config',
    namespace: kubeSystem,
    writtenBy: 'upload-config/kubelet',
    rules: getByName(
      {
        resource: 'configmaps',
        name: 'kubelet-config',
        reason: 'It holds the kubelet configuration of the cluster',
      },
      {
        fails: 'join: configuration of the cluster',
        shows: 'the ConfigMap kubelet-config is forbidden to the token, before anything is written on the node',
      },
    ),
    subjects: [nodes, joiningNodes],
    reason: 'Nodes write their kubelet configuration from it when they join and on upgrade',
    neededBy: [
      { step: 'join: kubelet-start', does: 'writes /var/lib/kubelet/config.yaml from it, read with the token' },
      { step: 'upgrade node: kubelet-config', does: 'writes the same file again, read with kubelet.conf' },
    ],
    kubeadmFile: 'phases/kubelet/config.go',
  },
  {
    name: 'groundplane:nodes-groundplane-config',
    namespace: kubeSystem,
    writtenBy: 'upload-config/groundplane',
    rules: getByName(
      {
        resource: 'configmaps',
        name: 'groundplane-config',
        reason: 'It holds the settings that kubeadm does not have',
      },
      { otherwise: 'a node that joins goes by the defaults, and keeps its journal where the program does' },
    ),
    subjects: [joiningNodes, nodes],
    reason: 'Joining nodes go by the settings of the cluster, and nodes by the same when they are reset or asked',
    neededBy: [
      { step: 'join: configuration of the cluster', does: 'reads it with the token, where there is one' },
      { step: 'reset, status, journal', does: 'read it with kubelet.conf on a worker, to find the journal' },
    ],
    onlyWith: 'GroundplaneConfiguration',
  },
  {
    name: 'kubeadm:kubeadm-certs',
    namespace: kubeSystem,
    writtenBy: 'upload-certs',
    rules: getByName(
      {
        resource: 'secrets',
        name: 'kubeadm-certs',
        reason: 'It holds the encrypted certificates of the control plane',
      },
      {
        keptFor: 'phases/copycerts/copycerts.go',
        because: 'kubeadm join --control-plane fetches the Secret with its token; a worker has no use for it',
      },
    ),
    subjects: [joiningNodes],
    reason: 'Joining control plane nodes fetch the shared certificates, which only the certificate key opens',
    neededBy: [
      {
        step: 'join --control-plane: control-plane-prepare/download-certs',
        does: 'reads the Secret with the token and decrypts it with the certificate key',
      },
    ],
    kubeadmFile: 'phases/copycerts/copycerts.go',
  },
  {
    name: 'kubeadm:get-nodes',
    writtenBy: 'bootstrap-token',
    rules: [
      {
        verbs: ['get'],
        apiGroups: [''],
        resources: ['nodes'],
        reason: 'One node is asked for by its name; a list is not needed',
        without: {
          fails: 'join: check of the node name',
          shows: 'the Node of that name is forbidden to the token, before anything is written on the node',
        },
      },
    ],
    subjects: [joiningNodes],
    reason: 'A joining node checks that no node of its name exists and is Ready',
    neededBy: [
      {
        step: 'join: check of the node name',
        does: 'reads the Node of its own name with the token; kubeadm does so in kubelet-start',
      },
    ],
    kubeadmFile: tlsBootstrapFile,
  },
  {
    name: 'kubeadm:kubelet-bootstrap',
    writtenBy: 'bootstrap-token',
    clusterRole: 'system:node-bootstrapper',
    subjects: [joiningNodes],
    reason: 'The kubelet of a joining node asks for its client certificate by a signing request',
    neededBy: [
      {
        step: 'join: kubelet-wait-bootstrap',
        does: 'waits for the certificate that the kubelet asks for with the token',
      },
    ],
    kubeadmFile: tlsBootstrapFile,
    without: {
      fails: 'join: kubelet-wait-bootstrap',
      shows: 'the kubelet gets no certificate, and logs that it cannot create certificatesigningrequests',
    },
  },
  {
    name: 'kubeadm:node-autoapprove-bootstrap',
    writtenBy: 'bootstrap-token',
    clusterRole: 'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    subjects: [joiningNodes],
    reason: 'Signing requests of joining nodes are approved without a person',
    neededBy: [
      {
        step: 'join: kubelet-wait-bootstrap',
        does: 'waits for the approval by kube-controller-manager, which asks whether the token may have it',
      },
    ],
    kubeadmFile: tlsBootstrapFile,
    without: {
      fails: 'join: kubelet-wait-bootstrap',
      shows: 'the kubelet gets no certificate; its signing request stays Pending',
    },
  },
  {
    name: 'kubeadm:node-autoapprove-certificate-rotation',
    writtenBy: 'bootstrap-token',
    clusterRole: 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    subjects: [nodes],
    reason: 'Kubelets renew their own client certificates without a person',
    neededBy: [
      {
        step: 'kubelet: rotation of its client certificate',
        does: 'asks for the next one with the present one, long before that expires',
      },
    ],
    kubeadmFile: tlsBootstrapFile,
    without: {
      fails: 'kubelet: rotation of its client certificate',
      shows: 'the signing request stays Pending; the node is lost when its certificate expires',
    },
  },
  {
    name: 'kubeadm:apiserver-kubelet-client',
    writtenBy: 'bootstrap-token',
    clusterRole: 'system:kubelet-api-admin',
    subjects: [{ kind: 'User', name: 'kube-apiserver-kubelet-client' }],
    reason: 'The API server reaches the kubelets for logs, exec and port forwarding with its own client certificate',
    neededBy: [
      { step: 'kubectl logs, exec, attach, port-forward', does: 'go through the API server to the kubelet' },
      { step: 'init: wait-control-plane', does: 'shows the last lines of a component that does not get ready' },
    ],
    kubeadmFile: tlsBootstrapFile,
    without: {
      fails: 'kubectl logs',
      shows: 'Forbidden, user=kube-apiserver-kubelet-client, resource=nodes: the kubelet refuses the API server',
    },
  },
  {
    name: 'kubeadm:bootstrap-signer-clusterinfo',
    namespace: 'kube-public',
    writtenBy: 'bootstrap-token',
    rules: getByName(
      {
        resource: 'configmaps',
        name: 'cluster-info',
        reason: 'It holds the address and the CA of the cluster, signed by the tokens',
      },
      {
        fails: 'join: discovery',
        shows: 'the ConfigMap cluster-info is forbidden to system:anonymous until the time for discovery is over',
      },
    ),
    subjects: [{ kind: 'User', name: 'system:anonymous' }],
    reason: 'A joining node has no credentials yet when it looks for the cluster; the token proves what it reads',
    neededBy: [{ step: 'join: discovery', does: 'reads the address and the CA of the cluster without credentials' }],
    kubeadmFile: 'phases/bootstraptoken/clusterinfo/clusterinfo.go',
  },
  {
    name: 'system:coredns',
    writtenBy: 'addon/coredns',
    rules: [
      {
        verbs: ['list', 'watch'],
        apiGroups: [''],
        resources: ['endpoints', 'services', 'pods', 'namespaces'],
        reason: 'The names of the cluster domain come from these objects',
        without: {
          fails: 'CoreDNS: start',
          shows: 'its pods stay unready and log that services and namespaces are forbidden',
        },
      },
      {
        verbs: ['list', 'watch'],
        apiGroups: ['discovery.k8s.io'],
        resources: ['endpointslices'],
        reason: 'Headless services and services without a cluster address are answered from endpoint slices',
        without: {
          fails: 'CoreDNS: start',
          shows: 'its pods stay unready and log that endpointslices are forbidden',
        },
      },
    ],
    subjects: [{ kind: 'ServiceAccount', name: 'coredns', namespace: kubeSystem }],
    reason: 'CoreDNS answers names from the services and pods that it watches',
    neededBy: [{ step: 'CoreDNS: start', does: 'lists them before it is ready, then watches them' }],
    kubeadmFile: 'phases/addons/dns/manifests.go',
  },
  {
    name: 'kubeadm:node-proxier',
    writtenBy: 'addon/kube-proxy',
    clusterRole: 'system:node-proxier',
    subjects: [{ kind: 'ServiceAccount', name: 'kube-proxy', namespace: kubeSystem }],
    reason: 'kube-proxy watches services, endpoint slices and its node',
    neededBy: [{ step: 'kube-proxy: start', does: 'reads its Node, then watches services and endpoint slices' }],
    kubeadmFile: proxyFile,
    without: {
      fails: 'kube-proxy: start',
      shows:
        'it logs that its Node, services and endpointslices are forbidden; service addresses lead nowhere on the node',
    },
  },
  {
    name: 'kube-proxy',
    namespace: kubeSystem,
    writtenBy: 'addon/kube-proxy',
    rules: getByName(
      { resource: 'configmaps', name: 'kube-proxy', reason: 'It holds the configuration of kube-proxy' },
      {
        keptFor: proxyFile,
        because: 'kubeadm join asks for the ConfigMap with its token, and does without it where it is forbidden',
      },
    ),
    subjects: [joiningNodes],
    reason: 'A joining node whose kube-proxy does not run as a pod reads the configuration with its token',
    neededBy: [
      {
        step: 'join with kubeadm: configuration of the cluster',
        does: 'reads it with the token, where it is there and allowed',
      },
    ],
    kubeadmFile: proxyFile,
  },
];
