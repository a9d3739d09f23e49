"""The version of the service that the package belongs to, generated from the declarations of the service by `npm run generate`; do not edit."""

VERSION = "0.1.0"
