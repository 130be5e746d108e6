package io.github.shardedid.hibernate.internal.environment;

import java.sql.DatabaseMetaData;
import java.util.Map;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfo;
import org.jspecify.annotations.Nullable;

/**
 * The database that the settings name, with PostgreSQL's driver and keywords.
 *
 * @param given what the settings say
 */
record ResolvedDriver(DialectResolutionInfo given) implements DialectResolutionInfo {
    static final String NAME = "PostgreSQL JDBC Driver";

    /** The keywords of PostgreSQL 15 to 18 that SQL:2003 does not have, as the driver reads them from a server. */
    private static final String KEYWORDS =
            """
            abort,absent,access,aggregate,also,analyse,analyze,attach,backward,bit,cache,checkpoint,class,cluster,columns,\
            comment,comments,compression,concurrently,conditional,configuration,conflict,connection,content,conversion,copy,\
            cost,csv,current_catalog,current_schema,database,delimiter,delimiters,depends,detach,dictionary,disable,discard,\
            do,document,empty,enable,encoding,encrypted,enforced,enum,error,event,exclusive,explain,expression,extension,\
            family,finalize,force,format,forward,freeze,functions,generated,greatest,groups,handler,header,if,ilike,\
            immutable,implicit,import,include,indent,index,indexes,inherit,inherits,inline,instead,isnull,json,json_array,\
            json_arrayagg,json_exists,json_object,json_objectagg,json_query,json_scalar,json_serialize,json_table,json_value,\
            keep,keys,label,leakproof,least,limit,listen,load,location,lock,locked,logged,mapping,materialized,merge_action,\
            mode,move,nested,nfc,nfd,nfkc,nfkd,nothing,notify,notnull,nowait,objects,off,offset,oids,omit,operator,owned,\
            owner,parallel,parser,passing,password,period,plan,plans,policy,prepared,procedural,procedures,program,\
            publication,quote,quotes,reassign,refresh,reindex,rename,replace,replica,reset,restrict,returning,\
            routines,rule,scalar,schemas,sequences,server,setof,share,show,skip,snapshot,stable,standalone,statistics,stdin,\
            stdout,storage,stored,strict,string,strip,subscription,support,sysid,tables,tablespace,target,temp,template,text,\
            truncate,trusted,types,unconditional,unencrypted,unlisten,unlogged,until,vacuum,valid,validate,validator,\
            variadic,verbose,version,views,virtual,volatile,whitespace,wrapper,xml,xmlattributes,xmlconcat,xmlelement,\
            xmlexists,xmlforest,xmlnamespaces,xmlparse,xmlpi,xmlroot,xmlserialize,xmltable,yes""";

    @Override
    public String getDatabaseName() {
        return given.getDatabaseName();
    }

    @Override
    public String getDatabaseVersion() {
        return given.getDatabaseVersion();
    }

    @Override
    public int getDatabaseMajorVersion() {
        return given.getDatabaseMajorVersion();
    }

    @Override
    public int getDatabaseMinorVersion() {
        return given.getDatabaseMinorVersion();
    }

    @Override
    public String getDriverName() {
        return NAME;
    }

    @Override
    public int getDriverMajorVersion() {
        return given.getDriverMajorVersion();
    }

    @Override
    public int getDriverMinorVersion() {
        return given.getDriverMinorVersion();
    }

    @Override
    public String getSQLKeywords() {
        return KEYWORDS;
    }

    @Override
    public @Nullable DatabaseMetaData getDatabaseMetadata() {
        return null;
    }

    @Override
    public Map<String, Object> getConfigurationValues() {
        return given.getConfigurationValues();
    }
}
