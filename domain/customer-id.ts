const CUSTOMER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text, such as the id in a share link, is a customer's id: a UUID. */
export const isCustomerId = (text: string): boolean => CUSTOMER_ID.test(text)
