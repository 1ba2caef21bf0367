/** The kind of user that the calls of this API name. */
export const USER_TYPE = 'ENTERPRISE_API'
export const USER_TYPE_NAME = 'user_type'
