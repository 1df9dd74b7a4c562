import type { DefaultRole } from './default-role.ts';

const kubeControllerManager = 'user:system:kube-controller-manager';
const kubeScheduler = 'user:system:kube-scheduler';
const events = 'create,patch,update core,events.k8s.io events';

/**
 * The roles of Kubernetes v1.37 that bootstrap relies on: it binds them, or its identities have them from the start.
 * Source: kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy, as kube-apiserver serves them.
 */
export const reliedRoles: readonly DefaultRole[] = [
  {
    name: 'cluster-admin',
    rules: ['* * *', '* *'],
    subjects: ['group:system:masters'],
    reason:
      'Everything; super-admin.conf is of this group, and the API server lets it pass without looking at any role',
  },
  {
    name: 'system:public-info-viewer',
    rules: ['get /healthz,/livez,/readyz,/version,/version/'],
    subjects: ['group:system:authenticated', 'group:system:unauthenticated'],
    reason: 'Health and version are no secret; load balancers and wait-control-plane ask for them',
  },
  {
    name: 'system:discovery',
    rules: ['get /api,/api/*,/apis,/apis/*,/healthz,/livez,/openapi,/openapi/*,/readyz,/version,/version/'],
    subjects: ['group:system:authenticated'],
    reason: 'Whoever has logged in may see which kinds of objects there are',
  },
  {
    name: 'system:basic-user',
    rules: [
      'create authorization.k8s.io selfsubjectaccessreviews,selfsubjectrulesreviews',
      'create authentication.k8s.io selfsubjectreviews',
    ],
    subjects: ['group:system:authenticated'],
    reason: 'Whoever has logged in may ask who they are and what they may do',
  },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [
      'get /.well-known/openid-configuration,/.well-known/openid-configuration/,/openid/v1/jwks,/openid/v1/jwks/',
    ],
    subjects: ['group:system:serviceaccounts'],
    reason: 'Pods may read the public keys by which tokens of service accounts are verified',
  },
  {
    name: 'system:cluster-trust-bundle-discovery',
    rules: ['get,list,watch certificates.k8s.io clustertrustbundles'],
    subjects: ['group:system:serviceaccounts'],
    reason: 'Pods may read the authorities that the cluster publishes',
  },
  {
    name: 'system:node-bootstrapper',
    rules: ['create,get,list,watch certificates.k8s.io certificatesigningrequests'],
    reason: 'What a kubelet needs before it has a certificate: to ask for one and to wait for it',
  },
  {
    name: 'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    rules: ['create certificates.k8s.io certificatesigningrequests/nodeclient'],
    reason: 'kube-controller-manager approves a first client certificate of a node to whoever has this right',
  },
  {
    name: 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    rules: ['create certificates.k8s.io certificatesigningrequests/selfnodeclient'],
    reason: 'kube-controller-manager approves a next client certificate of the same node to whoever has this right',
  },
  {
    name: 'system:kubelet-api-admin',
    rules: [
      'get,list,watch core nodes',
      'proxy core nodes',
      '* core nodes/log,nodes/metrics,nodes/proxy,nodes/stats',
      '* core nodes/configz,nodes/healthz,nodes/pods',
    ],
    reason: 'The whole API of every kubelet',
  },
  {
    name: 'system:node-proxier',
    rules: [
      'list,watch core endpoints,services',
      'get,list,watch core nodes',
      events,
      'list,watch networking.k8s.io servicecidrs',
      'list,watch discovery.k8s.io endpointslices',
    ],
    subjects: ['user:system:kube-proxy'],
    reason: 'What kube-proxy watches; the user is for a kube-proxy that runs outside of pods',
  },
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'kube-public',
    rules: ['get,list,watch core configmaps', 'update core configmaps cluster-info', events],
    subjects: ['serviceaccount:kube-system/bootstrap-signer'],
    reason: 'kube-controller-manager signs cluster-info with every token that is for signing',
  },
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'kube-system',
    rules: ['get,list,watch core secrets'],
    subjects: ['serviceaccount:kube-system/bootstrap-signer'],
    reason: 'Bootstrap tokens are Secrets there',
  },
  {
    name: 'system:controller:token-cleaner',
    namespace: 'kube-system',
    rules: ['delete,get,list,watch core secrets', events],
    subjects: ['serviceaccount:kube-system/token-cleaner'],
    reason: 'kube-controller-manager removes tokens that have expired',
  },
  {
    name: 'system:controller:certificate-controller',
    rules: [
      'delete,get,list,watch certificates.k8s.io certificatesigningrequests',
      'update certificates.k8s.io certificatesigningrequests/approval,certificatesigningrequests/status',
      'approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client-kubelet',
      'sign certificates.k8s.io signers kubernetes.io/kube-apiserver-client,kubernetes.io/kube-apiserver-client-kubelet,kubernetes.io/kubelet-serving,kubernetes.io/legacy-unknown',
      'create authorization.k8s.io subjectaccessreviews',
      events,
    ],
    subjects: ['serviceaccount:kube-system/certificate-controller'],
    reason: 'kube-controller-manager approves and signs the certificates of kubelets',
  },
  {
    name: 'system:kube-controller-manager',
    rules: [
      events,
      'create coordination.k8s.io leases',
      'get,update coordination.k8s.io leases kube-controller-manager',
      'create core secrets,serviceaccounts',
      'delete core secrets',
      'get core configmaps,namespaces,secrets,serviceaccounts',
      'update core secrets,serviceaccounts',
      'create authentication.k8s.io tokenreviews',
      'create authorization.k8s.io subjectaccessreviews',
      'list,watch * *',
      'create core serviceaccounts/token',
    ],
    subjects: [kubeControllerManager],
    reason: 'controller-manager.conf; its controllers work with service accounts of their own',
  },
  {
    name: 'system:kube-scheduler',
    rules: [
      events,
      'create coordination.k8s.io leases',
      'get,list,update,watch coordination.k8s.io leases kube-scheduler',
      'create,delete,deletecollection,get,list,patch,update,watch coordination.k8s.io leasecandidates',
      'get,list,watch core nodes',
      'delete,get,list,watch core pods',
      'create core bindings,pods/binding',
      'patch,update core pods/status',
      'get,list,watch core replicationcontrollers,services',
      'get,list,watch apps,extensions replicasets',
      'get,list,watch apps statefulsets',
      'get,list,watch policy poddisruptionbudgets',
      'get,list,watch core persistentvolumeclaims,persistentvolumes',
      'create authentication.k8s.io tokenreviews',
      'create authorization.k8s.io subjectaccessreviews',
      'get,list,watch storage.k8s.io csinodes',
      'get,list,watch storage.k8s.io volumeattachments',
      'get,list,watch core namespaces',
      'get,list,watch storage.k8s.io csidrivers',
      'get,list,watch storage.k8s.io csistoragecapacities',
      'get,list,watch resource.k8s.io deviceclasses',
      'get,list,patch,update,watch resource.k8s.io resourceclaims',
      'get,list,patch,update,watch resource.k8s.io resourceclaims/status',
      'update core pods/finalizers',
      'get,list,watch resource.k8s.io resourceslices',
      'create,delete resource.k8s.io resourceclaims',
      'get,list,watch resource.k8s.io devicetaintrules',
      'patch,update resource.k8s.io resourceclaims/binding',
    ],
    subjects: [kubeScheduler],
    reason: 'scheduler.conf',
  },
  {
    name: 'system:volume-scheduler',
    rules: [
      'get,list,patch,update,watch core persistentvolumes',
      'get,list,watch storage.k8s.io storageclasses',
      'get,list,patch,update,watch core persistentvolumeclaims',
    ],
    subjects: [kubeScheduler],
    reason: 'The scheduler binds volumes',
  },
  {
    name: 'extension-apiserver-authentication-reader',
    namespace: 'kube-system',
    binding: 'system::extension-apiserver-authentication-reader',
    rules: ['get,list,watch core configmaps extension-apiserver-authentication'],
    subjects: [kubeControllerManager, kubeScheduler],
    reason: 'The two serve metrics to whom the API server would let in',
  },
  {
    name: 'system::leader-locking-kube-controller-manager',
    namespace: 'kube-system',
    rules: [
      'create,get,list,update,watch coordination.k8s.io leases',
      'create,get,list,update,watch coordination.k8s.io leasecandidates',
    ],
    subjects: [
      kubeControllerManager,
      'serviceaccount:kube-system/kube-controller-manager',
      'serviceaccount:kube-system/leader-election-controller',
    ],
    reason: 'Of several one works, by a lease',
  },
  {
    name: 'system::leader-locking-kube-scheduler',
    namespace: 'kube-system',
    rules: [
      'create,get,list,update,watch coordination.k8s.io leases',
      'create,get,list,update,watch coordination.k8s.io leasecandidates',
    ],
    subjects: [kubeScheduler, 'serviceaccount:kube-system/kube-scheduler'],
    reason: 'Of several one works, by a lease',
  },
  {
    name: 'system:controller:cloud-provider',
    namespace: 'kube-system',
    rules: ['create,get,list,watch core configmaps'],
    subjects: ['serviceaccount:kube-system/cloud-provider'],
    reason: 'Of earlier cloud providers; deprecated',
  },
  {
    name: 'system:kube-dns',
    rules: ['list,watch core endpoints,services'],
    subjects: ['serviceaccount:kube-system/kube-dns'],
    reason: 'Of the server before CoreDNS',
  },
  {
    name: 'system:monitoring',
    rules: [
      'get /flagz,/healthz,/healthz/*,/livez,/livez/*,/metrics,/metrics/slis,/readyz,/readyz/*,/statusz',
      'get core nodes/metrics',
    ],
    subjects: ['group:system:monitoring'],
    reason: 'Health and metrics of the API server in detail; nobody of bootstrap is in this group',
  },
];
