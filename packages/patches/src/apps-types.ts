/** The fields of Deployments and DaemonSets, as k8s.io/api/apps/v1 v0.37.2 declares them; printed by testdata/go-patches, read by field-table.ts. */
export const appsTypes: string = `
DaemonSet: kind string | apiVersion string | metadata ObjectMeta! | spec DaemonSetSpec! | status DaemonSetStatus!
DaemonSetCondition: type string! | status string! | lastTransitionTime time! | reason string | message string
DaemonSetSpec: selector *LabelSelector! | template PodTemplateSpec! | updateStrategy DaemonSetUpdateStrategy! |
  minReadySeconds int32 | revisionHistoryLimit *int32
DaemonSetStatus: currentNumberScheduled int32! | numberMisscheduled int32! | desiredNumberScheduled int32! |
  numberReady int32! | observedGeneration int64 | updatedNumberScheduled int32 | numberAvailable int32 |
  numberUnavailable int32 | collisionCount *int32 | conditions []DaemonSetCondition merge type
DaemonSetUpdateStrategy: type string | rollingUpdate *RollingUpdateDaemonSet
Deployment: kind string | apiVersion string | metadata ObjectMeta! | spec DeploymentSpec! | status DeploymentStatus!
DeploymentCondition: type string! | status string! | lastUpdateTime time! | lastTransitionTime time! | reason string |
  message string
DeploymentSpec: replicas *int32 | selector *LabelSelector! | template PodTemplateSpec! |
  strategy DeploymentStrategy! retainKeys | minReadySeconds int32 | revisionHistoryLimit *int32 | paused bool |
  progressDeadlineSeconds *int32
DeploymentStatus: observedGeneration int64 | replicas int32 | updatedReplicas int32 | readyReplicas int32 |
  availableReplicas int32 | unavailableReplicas int32 | terminatingReplicas *int32 |
  conditions []DeploymentCondition merge type | collisionCount *int32
DeploymentStrategy: type string | rollingUpdate *RollingUpdateDeployment
RollingUpdateDaemonSet: maxUnavailable *intOrString | maxSurge *intOrString
RollingUpdateDeployment: maxUnavailable *intOrString | maxSurge *intOrString
`;
