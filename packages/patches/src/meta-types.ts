/** The fields of what all objects share, as k8s.io/apimachinery/pkg/apis/meta/v1 v0.37.2 declares them; printed by testdata/go-patches, read by field-table.ts. */
export const metaTypes: string = `
LabelSelector: matchLabels map:string | matchExpressions []LabelSelectorRequirement
LabelSelectorRequirement: key string! | operator string! | values []string
ManagedFieldsEntry: manager string | operation string | apiVersion string | time *time | fieldsType string |
  fieldsV1 *any | subresource string
ObjectMeta: name string | generateName string | namespace string | selfLink string | uid string |
  resourceVersion string | generation int64 | creationTimestamp time | deletionTimestamp *time |
  deletionGracePeriodSeconds *int64 | labels map:string | annotations map:string |
  ownerReferences []OwnerReference merge uid | finalizers []string merge | managedFields []ManagedFieldsEntry
OwnerReference: apiVersion string! | kind string! | name string! | uid string! | controller *bool |
  blockOwnerDeletion *bool
`;
