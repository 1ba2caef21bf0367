/** Path and query of a valid request to each operation, with records of the default fixtures. */
export const UPLOAD = '/client/signature?user_type=ENTERPRISE_API'
export const MEMBER =
  '/api/v2/sub-organizations/6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60/members/101?user_type=ENTERPRISE_API'
export const VERIFY = '/api/v2/verifications/document/verify?user_type=ENTERPRISE_API'
export const SEARCH = '/api/v2/projects/protect?user_type=ENTERPRISE_API'
export const HISTORIES =
  '/api/v2/credits/histories?page=1&per_page=5&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
export const INVITE = '/api/v2/organization/members/add?user_type=ENTERPRISE_API'
export const LINK = '/api/v2/projects/a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11/link'
