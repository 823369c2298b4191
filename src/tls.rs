//! Configures TLS for connections to mail servers and databases. Trusts the root certificates of
//! the operating system and those that a club adds. Knows no mail or database protocol.

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use std::io;
use std::sync::Arc;

/// Returns a TLS client configuration. `ca` contains PEM root certificates to trust in addition to
/// those of the operating system.
///
/// # Errors
/// If `ca` is given and contains no certificate, or an invalid one.
pub(crate) fn client_config(ca: Option<&[u8]>) -> io::Result<ClientConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?;
    Ok(config.with_root_certificates(root_certificates(ca)?).with_no_client_auth())
}

fn root_certificates(ca: Option<&[u8]>) -> io::Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let mut own = 0;
    for certificate in CertificateDer::pem_slice_iter(ca.unwrap_or_default()) {
        let certificate = certificate.map_err(io::Error::other)?;
        roots.add(certificate).map_err(io::Error::other)?;
        own += 1;
    }
    if ca.is_some() && own == 0 {
        return Err(io::Error::other("the ca_file contains no certificate"));
    }
    Ok(roots)
}
