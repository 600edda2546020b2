import Crypto
import FoundationEssentials

/// The one style sheet, inline in every page, and the Content-Security-Policy that allows nothing else.
enum StyleSheet {
    static let text = """
        :root{color-scheme:light dark;--ink:#1b2330;--paper:#fff;--soft:#f2f5f9;--line:#c3ccd8;--accent:#0b5a8a;\
        --on-accent:#fff;--quiet:#4a5566;--bad:#9c1c1c;--good:#1a6332}
        @media (prefers-color-scheme:dark){:root{--ink:#e8edf4;--paper:#141a22;--soft:#1d2631;--line:#3c4859;\
        --accent:#8cc7f0;--on-accent:#0c1218;--quiet:#aab6c6;--bad:#ff9d9d;--good:#8fdca8}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
        .skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.5rem}
        .remark{margin:0;padding:.45rem 1rem;background:var(--accent);color:var(--on-accent);text-align:center}
        header.bank{border-bottom:1px solid var(--line);background:var(--soft)}
        header.bank>div,main,footer{max-width:60rem;margin:0 auto;padding:1rem}
        header.bank>div{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center}
        .name{font-size:1.25rem;font-weight:700;color:var(--ink);text-decoration:none;margin-right:auto}
        nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:0;padding:0;align-items:center}
        a{color:var(--accent)}
        h1{font-size:1.7rem;line-height:1.25;margin:.6rem 0 1rem}h2{font-size:1.2rem;margin:2rem 0 .6rem}
        form.card{max-width:32rem;border:1px solid var(--line);border-radius:.6rem;padding:1.2rem;\
        background:var(--soft);margin:0 0 1.2rem}
        label,legend{display:block;font-weight:600;margin:.8rem 0 .25rem}fieldset{border:0;margin:.8rem 0 0;padding:0}fieldset legend{margin-top:0;padding:0}
        label.choice{font-weight:400;display:flex;gap:.6rem;align-items:baseline;margin:.4rem 0}
        input:not([type=radio]),textarea,select{width:100%;font:inherit;padding:.55rem .6rem;color:inherit;\
        background:var(--paper);border:1px solid var(--quiet);border-radius:.35rem}
        .hint{color:var(--quiet);font-size:.9rem;margin:.2rem 0}
        button,a.button{display:inline-block;font:inherit;font-weight:600;padding:.55rem 1.1rem;margin:1rem .4rem 0 0;\
        border:1px solid var(--accent);border-radius:.35rem;background:var(--accent);color:var(--on-accent);\
        cursor:pointer;text-decoration:none}
        button.quiet,a.quiet{background:transparent;color:var(--accent)}
        td button{margin:0;padding:.25rem .7rem}nav button{margin:0;padding:.25rem .7rem}
        :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
        .scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}
        caption{text-align:left;color:var(--quiet);padding:.2rem 0}
        th,td{text-align:left;padding:.5rem .7rem .5rem 0;border-bottom:1px solid var(--line);vertical-align:top}
        .error{border-left:.3rem solid var(--bad);color:var(--bad);padding:.5rem .8rem;background:var(--soft)}
        .good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}
        .link{overflow-wrap:anywhere;font-family:ui-monospace,monospace;background:var(--paper);\
        border:1px solid var(--line);border-radius:.35rem;padding:.6rem;user-select:all}.told{white-space:pre-wrap}
        .qr{background:#fff;padding:.6rem;border-radius:.4rem;width:16rem;max-width:100%}.qr svg{display:block}
        footer{color:var(--quiet);font-size:.9rem;border-top:1px solid var(--line);margin-top:2rem}
        """

    /// No script, no frame, no remote load. `form-action` is left out on purpose: the sign-in of an enrollment ends
    /// with a redirect to the authenticator, to which browsers apply `form-action`, too.
    static let policy: String = {
        let digest = Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
        return [
            "default-src 'none'", "style-src 'sha256-\(digest)'", "img-src 'self'", "base-uri 'none'",
            "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }()
}
