export {
  type BootstrapRole,
  bootstrapRoles,
  type RbacWriter,
  type RuleRow,
  type SubjectRow,
} from './bootstrap-roles.ts';
export { allRbacObjects, objectsOf, type RbacObject, rbacObjects } from './rbac-objects.ts';
export { reasonFor } from './reason-for.ts';
