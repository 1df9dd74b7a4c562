/** The name that we apply API objects under: what it has applied is ours, as the API server keeps in managedFields. */
export const fieldManager = 'groundplane';
