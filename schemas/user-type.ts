/** The kind of user that the calls of this API name. */
export const USER_TYPE = 'ENTERPRISE_API'
export const USER_TYPE_NAME = 'user_type'
export const USER_TYPE_PAIR = `${USER_TYPE_NAME}=${USER_TYPE}`
