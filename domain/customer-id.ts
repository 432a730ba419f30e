const CUSTOMER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text is a customer's id, as share links bring it: a UUID. */
export const isCustomerId = (text: string): boolean => CUSTOMER_ID.test(text)
