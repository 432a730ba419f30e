/** Environment variable with the folder of the run's templates: the global setup sets it and removes the folder. */
export const TEMPLATE_FOLDER = 'FURLONG_TEST_TEMPLATES'
